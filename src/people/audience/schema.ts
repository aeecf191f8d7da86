import { type Static, Type } from 'typebox'
import {
  Email,
  EmailParameter,
  Id,
  nullable,
  reference,
  Text,
  Time,
  TimeInput,
  WordsParameter,
} from '#platform/wire/schema.ts'

const TOKEN_MAX = 100

/** The fields that subscribers, group members and news recipients share. */
export const person = (what: string) => ({
  id: Id(`Id of the ${what}. Read-only.`),
  email: Type.String({
    description: 'Email address. It follows that of the customer, if there is one. Read-only.',
    examples: ['jane@example.com'],
  }),
  customer_token: nullable(
    Type.String({
      pattern: '^[A-Z]{16}$',
      description: 'Token of the customer with this address; null: the company has none. Read-only.',
    }),
  ),
})

export const times = {
  created_at: Time('When it was created. Read-only.'),
  updated_at: Time('When it was last changed. Read-only.'),
}

/** How a new entry names the person. */
export const personInput = {
  email: Type.Optional(reference(Email('Email address of the person. Not needed with `customer_token`.'))),
  customer_token: Type.Optional(
    reference(Text(TOKEN_MAX, 'Token of a customer of the company. Beside it `email` does not count.')),
  ),
}

/** The filters that every list and count of them takes. */
export const personFilters = {
  email: Type.Optional(EmailParameter(300, 'Only this address, in any case.')),
  q: Type.Optional(WordsParameter('Beginning of the email address.', 'jane')),
  customer_token: Type.Optional(Text(TOKEN_MAX, 'Only this customer.')),
  created_at_min: Type.Optional(TimeInput('Created at this time or later.')),
  created_at_max: Type.Optional(TimeInput('Created at this time or earlier.')),
  updated_at_min: Type.Optional(TimeInput('Changed at this time or later.')),
  updated_at_max: Type.Optional(TimeInput('Changed at this time or earlier.')),
}

export const stateFilter = <const States extends readonly string[]>(states: States) =>
  Type.Optional(
    Type.Unsafe<States[number]>(Type.String({ enum: [...states], description: 'Only those in this state now.' })),
  )

export const stateOf = <const States extends readonly string[]>(states: States, description: string) =>
  Type.Unsafe<States[number]>(Type.String({ enum: [...states], description }))

const PersonInput = Type.Object(personInput)
const PersonFilters = Type.Object(personFilters)

export type PersonInput = Static<typeof PersonInput>
export type PersonFilters = Static<typeof PersonFilters> & { since_id?: number }
