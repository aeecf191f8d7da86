import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

/** A copy for a buyer that could not be made. */
export const FileFailure = Type.Object(
  {
    id: Id('Id of the copy.'),
    file_id: Id('The content file that was to be copied.'),
    product_id: nullable(
      Text(100, 'The product that the file belongs to. Null: of another company, or removed since.', [
        '0001-26ED-EA4F-AA32',
      ]),
    ),
    entitlement_id: Id('What the buyer owns.'),
    name: Text(255, 'Name of the file.', ['walden.epub']),
    reason: Text(255, 'Why it could not be made, in a sentence.', ['The PDF is damaged or incomplete.']),
    failed_at: Time('When it was last tried. It is tried again when the buyer asks for it a day later.'),
  },
  { $id: 'FileFailure' },
)

export const FailureFilters = Type.Object({
  product_id: Type.Optional(Text(100, 'Only of the files of this product.', ['0001-26ED-EA4F-AA32'])),
})

export type FileFailure = Static<typeof FileFailure>
export type FailureFilters = Static<typeof FailureFilters>
