import { type Static, Type } from 'typebox'
import { LanguageReference } from '#catalog/theme-settings/home/schema.ts'
import { Id, nullable, Reference, reference, Text, Time } from '#platform/wire/schema.ts'

const TITLE_MAX = 100
const DESCRIPTION_MAX = 2000
const LOCALES_MAX = 100

export const GROUP_KINDS = ['access', 'subscription', 'sharing'] as const

const GroupId = (description: string) =>
  Type.String({ pattern: '^[csp][1-9][0-9]{0,17}$', description, examples: ['s77'] })
const ID = 'Letter and number: `c` access group, `s` subscription group, `p` sharing group.'
const title = Text(TITLE_MAX, 'Name that customers see.', ['Kino Club'])
const Kind = (description: string) =>
  Type.Unsafe<(typeof GROUP_KINDS)[number]>(Type.String({ enum: [...GROUP_KINDS], description }))
const LICENSE = 'License that members use content under. Its devices and counts hold over the whole membership'
const LanguageCode = Type.String({ description: 'Code of the language.', examples: ['de'] })
const texts = {
  title,
  description: Text(DESCRIPTION_MAX, 'What members get, in a few sentences.'),
}

export const Group = Type.Object(
  {
    id: GroupId(ID),
    kind: Kind('What the letter stands for. Read-only.'),
    title,
    license_id: nullable(Id(`${LICENSE}; null: no limits.`)),
    valid: Type.Boolean({ description: 'False: it opens nothing.' }),
    locales: Type.Array(Type.Object({ language_id: LanguageCode, ...texts }), {
      description: 'Texts in other languages.',
    }),
    members: Type.Integer({
      minimum: 0,
      description: 'People in the group, also those whose time is over. Read-only.',
    }),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
  },
  { $id: 'Group' },
)

const optional = {
  license_id: Type.Optional(Reference(`${LICENSE}. Without one there are no limits.`)),
  valid: Type.Optional(Type.Boolean({ description: 'False: it opens nothing.', default: true })),
  locales: Type.Optional(
    Type.Array(Type.Object({ language_id: LanguageReference, title, description: Type.Optional(texts.description) }), {
      maxItems: LOCALES_MAX,
      description: 'Texts in other languages. Replaces them.',
    }),
  ),
}

export const GroupInput = Type.Object(
  {
    id: Type.Optional(reference(GroupId(`${ID} Without one, \`kind\` gets the next free number.`))),
    kind: Type.Optional(Kind('What it is for. Not needed beside `id`.')),
    title,
    ...optional,
  },
  { $id: 'GroupInput', examples: [{ kind: 'subscription', title: 'Kino Club', license_id: 15 }] },
)

export const GroupChange = Type.Object(
  { title: Type.Optional(title), ...optional },
  { $id: 'GroupChange', examples: [{ valid: false }] },
)

export type Group = Static<typeof Group>
export type GroupInput = Static<typeof GroupInput>
export type GroupChange = Static<typeof GroupChange>
