import { type Static, Type } from 'typebox'
import { EMAIL_MAX, Text } from '#platform/wire/schema.ts'
import { NewCustomerInput } from '../schema.ts'

/** The longest login token: with a hundred addresses it is still shorter. */
export const LOGIN_TOKEN_MAX = 20_000

const ADDRESS_MAX = 100
const URL_MAX = 4000
const TIME_MAX = 50

const { email, password, first_name, last_name, language, addresses } = NewCustomerInput.properties

/** The object that a shop owner's own site encrypts. Fields that are not named here mean nothing. */
export const LoginTokenContent = Type.Object({
  email: Type.Optional(email),
  password: Type.Optional(password),
  customer_token: Type.Optional(Text(EMAIL_MAX, 'Token of a customer, in place of address and password.')),
  token: Type.Optional(Text(EMAIL_MAX, 'Another name of `customer_token`.')),
  first_name,
  last_name,
  language,
  addresses,
  remote_ip: Type.Optional(Text(ADDRESS_MAX, 'The only address from which the token works.')),
  return_to: Type.Optional(Text(URL_MAX, 'Where the customer goes afterwards.')),
  created_at: Type.Optional(Text(TIME_MAX, 'When the token was made.')),
})

export type LoginTokenContent = Static<typeof LoginTokenContent>
