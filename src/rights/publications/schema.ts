import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

const OneOf = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description })

export const ProtectedPublication = Type.Object(
  {
    id: Id('Id of the publication.'),
    kind: OneOf(['epub', 'pdf', 'audiobook'], 'What it is. An audiobook has all tracks of its product.'),
    title: Text(1000, 'Title of the product when it was encrypted first.', ['Tern Island']),
    file_id: nullable(Id('The content file, or the first of several. Null: no product has it any more.')),
    product_id: nullable(Text(100, 'The product of that file.', ['0001-26ED-EA4F-AA32'])),
    status: OneOf(
      ['pending', 'ready', 'failed'],
      '`pending`: it is being encrypted. `ready`: buyers can open it in a reading app. `failed`: `reason` says why not.',
    ),
    reason: nullable(
      Text(255, 'Why it could not be encrypted, in a sentence.', ['The EPUB is damaged or incomplete.']),
    ),
    updated_at: Time(
      'When `status` last changed. What has failed is tried again when a buyer asks for it a day later.',
    ),
  },
  { $id: 'ProtectedPublication' },
)

export const PublicationFilters = Type.Object({
  product_id: Type.Optional(Text(100, 'Only that of this product.', ['0001-26ED-EA4F-AA32'])),
})

export type ProtectedPublication = Static<typeof ProtectedPublication>
export type PublicationFilters = Static<typeof PublicationFilters>
