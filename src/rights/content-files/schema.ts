import { type Static, Type } from 'typebox'
import { Id, named, nullable, Reference, reference, Text, Time } from '#platform/wire/schema.ts'
import { AskInput, Decision } from '#rights/entitlements/schema.ts'
import { PACKING_FAULTS } from '#rights/packing/faults.facts.ts'

const NAME_MAX = 255
export const POSITION_MAX = 1_000_000
const SIZE_MAX = 1_099_511_627_776

const product = {
  description: 'The `product_id` of the product.',
  examples: ['0001-26ED-EA4F-AA32'],
}
const name = Text(NAME_MAX, 'Name of the file, without a path.', ['film.mp4'])
const role = Type.String({
  maxLength: 20,
  description:
    '`main_hd`, `main_sd`, `trailer`, `preview`, `extra`, `subtitles` or `trial`. Trailers and previews are public, and so is the trial of a program with `allow_download_trial` 1. `main_hd` belongs to purchases of the HD version only.',
  examples: ['main_hd'],
})
const language = Type.String({
  pattern: '^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?)?$',
  maxLength: 12,
  description: 'Code of the language; empty if the file has none.',
  examples: ['en'],
})
const position = Type.Integer({
  minimum: 0,
  maximum: POSITION_MAX,
  description: 'Place among the files of the same product and role.',
})

const Count = (description: string, examples: number[]) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description, examples })

const Fault = Type.Object({
  reason: Type.Enum(
    [
      'incomplete',
      'damaged',
      'no_media',
      'not_playable',
      'password_required',
      'encrypted',
      'no_reading_order',
      'chapters_missing',
      'too_complex',
    ],
    { description: 'What is wrong, as a word for programs.' },
  ),
  message: Text(500, 'What is wrong and what to do about it, in words.'),
})

const PackingFault = Type.Object({
  reason: Type.Enum([...Object.keys(PACKING_FAULTS)] as (keyof typeof PACKING_FAULTS)[], {
    description: 'Why it cannot be packed, as a word for programs.',
  }),
  codec: nullable(Text(40, 'The codec that browsers do not play, if that is why.', ['prores'])),
  message: Text(500, 'Why it cannot be packed and what to do about it, in words.'),
})

const Packing = Type.Object({
  status: Type.Enum(['pending', 'ready', 'failed'], {
    description:
      '`ready`: customers play it protected. `failed`: it is sold as a plain file, if the license allows downloads.',
  }),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'How much is packed, in percent.' }),
  fault: Type.Union([PackingFault, Type.Null()], { description: 'Why it cannot be packed; null if it can.' }),
})

export const ContentFile = Type.Object(
  {
    id: Id('Id of the file. Read-only.'),
    product_id: Type.String(product),
    name,
    role,
    language,
    position,
    content_type: nullable(Text(255, 'Type of the content, found in the bytes. Read-only.', ['video/mp4'])),
    size: nullable(Type.Integer({ minimum: 0, maximum: SIZE_MAX, description: 'Size in bytes. Read-only.' })),
    sha256: nullable(Text(64, 'SHA-256 of the bytes, in hexadecimal digits. Read-only.')),
    valid: Type.Boolean({ description: 'Whether the file can be delivered. Read-only.' }),
    status: Type.Enum(['uploading', 'ready', 'refused'], { description: 'Read-only.' }),
    refusal: nullable(Text(500, 'Why the file was refused, in words. Read-only.')),
    duration: nullable(Count('How long a film or a recording is, in seconds. Read-only.', [5640])),
    width: nullable(Count('Width of the picture of a film, in pixels. Read-only.', [1920])),
    height: nullable(Count('Height of the picture of a film, in pixels. Read-only.', [1080])),
    pages: nullable(Count('Pages of a PDF. Read-only.', [312])),
    chapters: nullable(Count('Chapters of an EPUB. Read-only.', [24])),
    fault: Type.Union([Fault, Type.Null()], {
      description: 'What is wrong with the bytes of a file that was stored; null if nothing is. Read-only.',
    }),
    packing: Type.Union([Packing, Type.Null()], {
      description:
        'How far a film or recording of a product with `drm_protected` is packed for protected playback; null for other files. Read-only.',
    }),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
    download_url: nullable(
      Text(2000, 'Where an app with the scope `files` fetches the bytes; null until it is ready. Read-only.'),
    ),
    public_url: nullable(
      Text(2000, 'Where everybody fetches a trailer, preview or trial; null for other files. Read-only.'),
    ),
    upload_url: nullable(
      Text(2000, 'Where the bytes are uploaded to, by the tus protocol; null when they are there. Read-only.'),
    ),
  },
  { $id: 'ContentFile' },
)

/** A file as the customer who bought it sees it. */
export const IncludedFile = Type.Object(
  {
    id: Id('Id of the file.'),
    name,
    role,
    language,
    content_type: Text(255, 'Type of the content, found in the bytes.', ['video/mp4']),
    size: Type.Integer({ minimum: 0, maximum: SIZE_MAX, description: 'Size in bytes.' }),
    sha256: Text(64, 'SHA-256 of the bytes, in hexadecimal digits.'),
  },
  { $id: 'IncludedFile' },
)

export const Download = Type.Object(
  {
    url: Text(4000, 'Where the file is fetched, without a token. It can be resumed with `Range`.'),
    expires_at: Time('When the address stops working. Revoking the entitlement stops it at once.'),
    file: Type.Unsafe<Static<typeof IncludedFile>>({ $ref: 'IncludedFile#' }),
  },
  { $id: 'Download' },
)

const { device, country, client_time } = AskInput.properties
export const DownloadInput = Type.Object({
  file_id: Type.Optional(Reference('The file. Without one it is the best that belongs to the entitlement.')),
  device,
  country,
  client_time,
})

export const Issued = Type.Object({
  decision: named(Decision),
  download: Type.Union([named(Download), Type.Null()], { description: 'Null if the download is refused.' }),
})

const ProductRef = Text(40, 'The `product_id` or the numeric id of a product.', ['0001-26ED-EA4F-AA32'])

const optional = {
  role: Type.Optional(role),
  language: Type.Optional(language),
  position: Type.Optional(position),
}

export const FileInput = Type.Object(
  {
    product_id: reference(ProductRef),
    name,
    size: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: SIZE_MAX,
        description: 'Size in bytes. Without it the upload has to say the size with its first bytes.',
      }),
    ),
    ...optional,
  },
  { $id: 'ContentFileInput', examples: [{ product_id: '0001-26ED-EA4F-AA32', name: 'film.mp4', role: 'main_hd' }] },
)

export const FileChange = Type.Object(
  { product_id: Type.Optional(reference(ProductRef)), name: Type.Optional(name), ...optional },
  { $id: 'ContentFileChange', examples: [{ name: 'film.mp4', language: 'en' }] },
)

export const FileFilters = Type.Object({
  product_id: Type.Optional(ProductRef),
  role: Type.Optional(role),
})

export type IncludedFile = Static<typeof IncludedFile>
export type Download = Static<typeof Download>
export type DownloadInput = Static<typeof DownloadInput>
export type ContentFile = Static<typeof ContentFile>
export type FileInput = Static<typeof FileInput>
export type FileChange = Static<typeof FileChange>
export type FileFilters = Static<typeof FileFilters>
