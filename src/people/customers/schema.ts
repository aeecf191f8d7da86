import { type Static, Type } from 'typebox'
import { Email, Id, NAME_MAX, named, nullable, optional, PASSWORD_TEXT_MAX, Text, Time } from '#platform/wire/schema.ts'
import { ADDRESSES_MAX, CustomerAddress, ListedAddressInput } from './addresses/schema.ts'

const NOTE_MAX = 5000

const names = {
  first_name: Text(NAME_MAX, 'First name.', ['Jane']),
  last_name: Text(NAME_MAX, 'Last name.', ['Roe']),
}
const note = Text(NOTE_MAX, 'What the company notes of the customer. Other companies have their own.')
const language = Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two-letter code.', examples: ['en'] })

export const Customer = Type.Object(
  {
    id: Id('Id of the customer. Read-only.'),
    token: Type.String({ pattern: '^[A-Z]{16}$', description: 'Token of the customer. Read-only.' }),
    email: Type.String({ description: 'Email address to sign in with.', examples: ['jane@example.com'] }),
    ...names,
    language,
    created_at: Time('When the company came to know the customer. Read-only.'),
    updated_at: Time('When the customer was last changed. Read-only.'),
    orders_count: Type.Integer({ minimum: 0, description: 'How often the customer has ordered here. Read-only.' }),
    total_spent: Type.Number({ description: 'For how much, in cents. Read-only.' }),
    last_order_id: Type.Integer({ minimum: 0, description: 'Id of the last order; 0: there is none. Read-only.' }),
    last_order_name: Type.String({ description: 'Name of the last order; empty: there is none. Read-only.' }),
    note,
    state: Type.Unsafe<'enabled' | 'disabled'>(
      Type.String({ enum: ['enabled', 'disabled'], description: 'Disabled: cannot sign in or order. Read-only.' }),
    ),
    verified_email: Type.Boolean({ description: 'The customer has shown to read this address. Read-only.' }),
    default_address: Type.Unsafe<CustomerAddress | null>({
      anyOf: [{ $ref: 'CustomerAddress#' }, { type: 'null' }],
      description: 'The default one of the addresses; null: there is none. Read-only.',
    }),
    addresses: Type.Array(named(CustomerAddress), { description: 'Oldest first.' }),
  },
  { $id: 'Customer' },
)

const details = {
  ...optional({ ...names, note }),
  language: Type.Optional(language),
  addresses: Type.Optional(
    Type.Array(ListedAddressInput, {
      maxItems: ADDRESSES_MAX,
      description: 'Replaces the addresses; those with a known `id` keep it.',
    }),
  ),
  password_confirmation: Type.Optional(
    nullable(Text(PASSWORD_TEXT_MAX, 'The same as `password`, if it is there.', ['a long password'])),
  ),
}

export const NewCustomerInput = Type.Object(
  {
    email: Email('No two customers of the platform have the same, in any case.'),
    password: Text(PASSWORD_TEXT_MAX, '8 to 64 characters.', ['a long password']),
    ...details,
  },
  {
    $id: 'NewCustomerInput',
    examples: [{ email: 'jane@example.com', password: 'a long password', first_name: 'Jane', last_name: 'Roe' }],
  },
)

export const CustomerInput = Type.Object(
  {
    email: Type.Optional(Email('Another one is for customers whom no other company knows.')),
    password: Type.Optional(
      nullable(Text(PASSWORD_TEXT_MAX, '8 to 64 characters. Null leaves it alone.', ['a long password'])),
    ),
    ...details,
  },
  { $id: 'CustomerInput', examples: [{ first_name: 'Jane', note: 'Prefers to be called.' }] },
)

/** A customer in an import file: one without a password chooses it later. */
export const ImportedCustomer = Type.Object({ ...CustomerInput.properties, email: NewCustomerInput.properties.email })

/** The answer of the password check to a wrong password. */
export const PasswordDiffers = Type.Object(
  {
    error: Type.String({ examples: ['Customer found but password does not match.'] }),
    error_code: Type.Integer({ enum: [-1] }),
    companies: Type.Array(Type.String(), { description: 'Names of companies from which the customer has ordered.' }),
  },
  { $id: 'PasswordDiffers' },
)

export type Customer = Static<typeof Customer>
export type CustomerInput = Static<typeof CustomerInput>
export type NewCustomerInput = Static<typeof NewCustomerInput>
export type ImportedCustomer = Static<typeof ImportedCustomer>
