import { type Static, Type } from 'typebox'
import { Email, Id, NAME_MAX, nullable, optional, Text, Time } from '#platform/wire/schema.ts'
import { UserAddress, UserAddressInput } from './addresses/schema.ts'

const NOTE_MAX = 5000
const OFFSET_MAX = 14 * 60

const Bit = (description: string) => Type.Integer({ enum: [0, 1], description })

/** The flags of the interface, and what each lets a user do. docs/permissions.md lists the endpoints that need them. */
const flags = {
  request_products: Bit(
    '1: may create, change and delete what is sold: products, categories, files, licenses, prices, discounts, shipping methods and shops.',
  ),
  request_keyfile: Bit('1: may import and read keys of software, and read license files.'),
  request_rescue_code: Bit('1: may replace the key of software that a customer has lost.'),
  request_beta_code: Bit('1: may read, create, change and give redemption codes.'),
  create_users: Bit(
    '1: may invite users, change their state and permissions, change the settings of the company, and read the audit log.',
  ),
  web_access: Bit(
    '1: may use the service. Without it, neither the user nor an app that the user let in may do anything.',
  ),
  accounting: Bit('1: may create, cancel and refund orders, and read payments, invoices and statistics.'),
  unlock: Bit('1: may give and take access: entitlements, devices, groups, subscriptions, and the state of customers.'),
  RepAccounting: Bit('1: may read the ledger of what mirrored products owe their owners.'),
}

export const Permissions = Type.Object(flags, { description: 'What the user may do.' })
const PermissionsInput = Type.Object(Type.Partial(Permissions).properties, {
  description: 'Flags that are not named stay as they are.',
})

declare module '#platform/identity/permission.ts' {
  interface PermissionNames extends Static<typeof Permissions> {}
}

const texts = {
  first_name: Text(NAME_MAX, 'First name.', ['Jane']),
  last_name: Text(NAME_MAX, 'Last name.', ['Roe']),
  note: Text(NOTE_MAX, 'Seen in the administration only.'),
}

const language = Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two-letter code.', examples: ['en'] })
const state = Type.String({ enum: ['enabled', 'disabled'], description: 'Disabled until the invitation is accepted.' })
const time_zone = Type.Integer({
  minimum: -OFFSET_MAX,
  maximum: OFFSET_MAX,
  description: 'Minutes to UTC.',
  examples: [60],
})

export const User = Type.Object(
  {
    id: Id('Id of the user. Read-only.'),
    company_id: Id('Company of the user. Read-only.'),
    email: Type.String({ description: 'Email address to sign in with.', examples: ['jane@example.com'] }),
    ...texts,
    language,
    state: Type.Unsafe<'enabled' | 'disabled'>(state),
    time_zone,
    token: Type.String({ pattern: '^[A-Z]{16}$', description: 'Token of the user. Read-only.' }),
    created_at: Time('When the user was invited. Read-only.'),
    updated_at: Time('When the user was last changed. Read-only.'),
    valid: Type.Boolean({ description: 'The invitation was accepted. Read-only.' }),
    verified_email: Type.Boolean({ description: 'The user has shown to read this address. Read-only.' }),
    default_address: nullable(UserAddress),
    permissions: Permissions,
  },
  { $id: 'User' },
)

const details = {
  ...optional(texts),
  language: Type.Optional(language),
  time_zone: Type.Optional(time_zone),
  default_address: Type.Optional(nullable(UserAddressInput)),
  permissions: Type.Optional(PermissionsInput),
}

export const NewUserInput = Type.Object(
  { email: Email('Where the invitation goes. No two users have the same.'), ...details },
  { $id: 'NewUserInput', examples: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Roe' }] },
)

export const UserInput = Type.Object(
  {
    email: Type.Optional(Email('Another one is for users who have not accepted their invitation only.')),
    ...details,
    state: Type.Optional(Type.Unsafe<'enabled' | 'disabled'>(state)),
  },
  { $id: 'UserInput', examples: [{ first_name: 'Jane', permissions: { accounting: 1 } }] },
)

/** What users change of themselves. */
export const OwnUserInput = Type.Object(
  {
    first_name: Type.Optional(texts.first_name),
    last_name: Type.Optional(texts.last_name),
    language: Type.Optional(language),
    time_zone: Type.Optional(time_zone),
  },
  { $id: 'OwnUserInput', examples: [{ first_name: 'Jane', last_name: 'Roe', language: 'en' }] },
)

export type User = Static<typeof User>
export type NewUserInput = Static<typeof NewUserInput>
export type UserInput = Static<typeof UserInput>
export type Permissions = Static<typeof Permissions>
