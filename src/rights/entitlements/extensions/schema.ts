import { type Static, Type } from 'typebox'
import { Text, TimeInput } from '#platform/wire/schema.ts'

/** More is a typing mistake. */
const MORE_MAX = 10_000
const REASON_MAX = 500

const More = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: MORE_MAX, description }))

export const ExtensionInput = Type.Object(
  {
    ends_at: Type.Optional(
      TimeInput(
        'Until when it can be used, later than now and than its end. What begins with its first use and was not used yet can be started until then.',
      ),
    ),
    downloads: More('How many downloads more, in all and in each year, where they are limited.'),
    devices: More('How many devices more, for each user, where they are limited.'),
    reason: Text(REASON_MAX, 'Why, for the audit log.', ['The train had no network.']),
  },
  { $id: 'ExtensionInput', examples: [{ ends_at: '2026-12-01T00:00:00', reason: 'The train had no network.' }] },
)

export type ExtensionInput = Static<typeof ExtensionInput>
