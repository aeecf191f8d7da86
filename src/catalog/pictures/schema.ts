import { type Static, Type } from 'typebox'
import { Id, Text } from '#platform/wire/schema.ts'
import { PICTURE_TYPES } from './formats.facts.ts'

/** A picture may have this many bytes, wherever it comes from. */
export const PICTURE_BYTES_MAX = 10 * 1_048_576

const pixels = (description: string) => Type.Integer({ minimum: 1, description })

export const UploadedPicture = Type.Object(
  {
    id: Id('Id of the picture.'),
    url: Text(
      2000,
      'Where the picture is. Send it as the `src` of a product, of one of its locales or of a category, or as the `shop_icon` of a shop, within a day.',
      ['https://shop.example.com/pictures/1000/12/8e35c2cd3bf6641bdb0e2050b76932cb.png'],
    ),
    width: pixels('Width in pixels, as it is shown.'),
    height: pixels('Height in pixels, as it is shown.'),
    content_type: Type.Enum(Object.values(PICTURE_TYPES), { description: 'Found in the bytes.' }),
    size: Type.Integer({ minimum: 1, maximum: PICTURE_BYTES_MAX, description: 'Size in bytes.' }),
  },
  { $id: 'UploadedPicture' },
)

export type UploadedPicture = Static<typeof UploadedPicture>

const Bytes = Type.String({ format: 'binary', maxLength: PICTURE_BYTES_MAX, description: 'The picture itself.' })

/** The bytes of a picture, in one of the formats that the decoder takes. */
export const PictureBody = {
  content: Object.fromEntries(Object.values(PICTURE_TYPES).map((type) => [type, { schema: Bytes }])),
}
