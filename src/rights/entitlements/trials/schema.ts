import { type Static, Type } from 'typebox'
import { LicenseInput } from '#catalog/licenses/schema.ts'
import { named, nullable, Reference, Text, Time, TimeInput } from '#platform/wire/schema.ts'
import { Action, AskInput, Explanation } from '../schema.ts'

/** More uses than somebody thinks of, and few enough to be tried at once. */
const USES_MAX = 50
const OTHERS_MAX = 20
const USERS_MAX = 10_000

const { action, device, client_time, pages } = AskInput.properties
const at = TimeInput('When.')
const Asked = Type.Object({ at, action, device, client_time, pages })

export const LicenseTrialInput = Type.Object({
  license_id: Type.Optional(Reference('A license that exists.')),
  license: Type.Optional(
    Type.Object(LicenseInput.properties, {
      description:
        'The fields of a license that is still to be made, or those that differ from the one of `license_id`.',
    }),
  ),
  language: Type.Optional(Text(12, 'Code of the language of the reasons; English if it is absent or unknown.', ['en'])),
  product_type: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 32_767, description: 'Type of the product that is sold; a film if absent.' }),
  ),
  num_users: Type.Optional(
    Type.Integer({ minimum: 1, maximum: USERS_MAX, description: 'For how many users it is sold; for one if absent.' }),
  ),
  country: Type.Optional(
    Text(100, 'Code or name of the country of the customer. If it is absent, the sale is taken for granted.', ['JP']),
  ),
  bought_at: TimeInput('When it was bought.'),
  uses: Type.Optional(
    Type.Array(Asked, { maxItems: USES_MAX, description: 'What the customer has done since, in any order.' }),
  ),
  other_devices: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OTHERS_MAX,
      description: 'So many other devices begin to play it just before.',
    }),
  ),
  asked: Asked,
  until: Type.Optional(TimeInput('How far `periods` looks; a little beyond the end of the license if it is absent.')),
})

const code = Text(100, '`allowed`, or why not, as a stable word.', ['allowed', 'expired'])

export const LicenseTrial = Type.Object(
  {
    sold: Type.Boolean({
      description: 'Can it be bought in the country at all? What is used elsewhere stays allowed.',
    }),
    explanation: named(Explanation),
    first_used_at: nullable(Time('When it was first used, before what is asked.')),
    uses: Type.Array(
      Type.Object({
        at: Time('When.'),
        action: Action('What the customer did.'),
        code,
        reason: nullable(Text(5000, 'Why not, as a sentence for the customer.')),
      }),
      { description: 'What came of the uses before what is asked, in their order.' },
    ),
    periods: Type.Array(Type.Object({ from: Time('When it begins.'), code }), {
      description: 'What the same question would get at other times, from the purchase on: each until the next begins.',
    }),
    until: Time('How far the periods look.'),
  },
  { $id: 'LicenseTrial' },
)

export type LicenseTrialInput = Static<typeof LicenseTrialInput>
export type LicenseTrial = Static<typeof LicenseTrial>
