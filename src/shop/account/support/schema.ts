import { type Static, Type } from 'typebox'
import { Text, Time } from '#platform/wire/schema.ts'

export const LoginLink = Type.Object(
  {
    url: Text(5000, 'The address. Whoever opens it first is signed in to the shop as the customer.'),
    expires_at: Time('Until when it works.'),
  },
  { $id: 'LoginLink' },
)

export type LoginLink = Static<typeof LoginLink>
