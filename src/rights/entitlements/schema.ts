import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time, TimeInput } from '#platform/wire/schema.ts'

const TITLE_MAX = 1000
const SENTENCES_MAX = 5000
const DEVICE_MAX = 200

export const ACTIONS = ['play', 'download', 'export', 'burn', 'print'] as const
/** One of the words. */
const OneOf = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description })

export const Action = (description: string) => OneOf(ACTIONS, description)

const STATES = ['active', 'not_started', 'expired', 'suspended', 'revoked'] as const

const Left = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description} Null: no limit.` }))

export const Remaining = Type.Object(
  {
    downloads: Left('Downloads that are left.'),
    exports: Left('Exports that are left.'),
    burns: Left('How often it may still be burnt.'),
    prints: Left('How often it may still be printed.'),
    devices: Left('Further devices that may use it now.'),
  },
  { $id: 'Remaining' },
)

export const Entitlement = Type.Object(
  {
    id: Id('Id of the entitlement.'),
    piece: Type.Integer({ minimum: 1, description: 'Number of the piece in its line item.' }),
    product_id: Text(50, 'The product.'),
    product_type: Type.Integer({ description: 'Type of the product.' }),
    title: Text(TITLE_MAX, 'Title of the product when it was acquired.'),
    license_id: nullable(Type.Integer({ description: 'The license; null: it was sold without one.' })),
    license_title: nullable(Text(TITLE_MAX, 'Name of the license when it was acquired.')),
    hd: Type.Boolean({ description: 'Is it a video in high resolution?' }),
    audio_type: nullable(Type.Integer({ description: 'The kind of audio, where it was sold by kind.' })),
    num_users: nullable(Type.Integer({ description: 'For how many users, where it was sold by users.' })),
    terms: Text(SENTENCES_MAX, "What the customer may do with it, in the customer's language."),
    acquired_at: Time('When it was acquired.'),
    starts_at: nullable(Time('When the product is released, if it was ordered in advance.')),
    first_used_at: nullable(Time('When it was first used.')),
    ends_at: nullable(Time('When it ends; null: no end is known.')),
    remaining: Type.Unsafe<Static<typeof Remaining>>({ $ref: 'Remaining#' }),
    state: OneOf(STATES, 'Can it be used?'),
    code: nullable(Text(100, 'Why it cannot be used, as a stable word; null if it can.')),
    reason: nullable(Text(SENTENCES_MAX, "Why it cannot be used, as a sentence in the customer's language.")),
    customer_token: Text(50, 'The customer.'),
    group_id: Type.Optional(
      Text(30, 'The group whose members may use it, for as long as they are members. Absent: the customer owns it.'),
    ),
    order_id: nullable(Type.Integer({ description: 'The order; null: it was redeemed, given or opened.' })),
    line_item_id: nullable(Type.Integer({ description: 'The line item of the order.' })),
    test: Type.Boolean({ description: 'Was it bought in a test order?' }),
    revoked_at: nullable(Time('When it was revoked.')),
    updated_at: Time('Last change or use.'),
  },
  { $id: 'Entitlement' },
)

export const Protection = Type.Object(
  {
    copp_aps: Type.Integer(),
    copp_cgms: Type.Integer(),
    copp_hdcp: Type.Integer(),
    copy_prot_level_analog: Type.Integer(),
    copy_prot_level_digital: Type.Integer(),
    play_prot_level_analog: Type.Integer(),
    play_prot_level_digital: Type.Integer(),
  },
  { $id: 'Protection', description: 'The output protection that a player has to ask for. See License for the codes.' },
)

export const Decision = Type.Object(
  {
    allowed: Type.Boolean({ description: 'May the customer do it?' }),
    code: Text(100, '`allowed`, or why not, as a stable word.', ['allowed', 'device_limit']),
    reason: nullable(Text(SENTENCES_MAX, "Why not, as a sentence in the customer's language.")),
    remaining: Type.Unsafe<Static<typeof Remaining>>({ $ref: 'Remaining#' }),
    until: nullable(Time('When it ends; a check shows the end if it were used now. Null: no end.')),
    protection: Type.Unsafe<Static<typeof Protection>>({ $ref: 'Protection#' }),
  },
  { $id: 'Decision' },
)

export const Device = Type.String({
  minLength: 1,
  maxLength: DEVICE_MAX,
  description: 'The device, by the id that the player gives it. It has to stay the same on one device.',
  examples: ['b0a7c1f2-living-room'],
})

export const AskInput = Type.Object({
  action: Action('What the customer wants to do.'),
  device: Type.Optional(Device),
  country: Type.Optional(
    Text(100, 'Where the customer is. It is recorded; a license restricts the sale, not the use.', ['DE']),
  ),
  client_time: Type.Optional(TimeInput('The time on the device, to notice a clock that was set back.')),
  pages: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Pages of a print.' })),
})

export const Explanation = Type.Object(
  {
    action: Action('What was asked for.'),
    decision: Type.Unsafe<Static<typeof Decision>>({ $ref: 'Decision#' }),
    rules: Type.Array(
      Type.Object({
        rule: Text(100, 'Name of the rule.'),
        verdict: OneOf(['passed', 'refused'], 'What the rule alone says.'),
        code: nullable(Text(100, 'The reason, if it refuses.')),
        reason: nullable(Text(SENTENCES_MAX, 'The same as a sentence.')),
        input: Type.Record(Type.String(), Type.Unknown(), { description: 'What the rule looks at.' }),
      }),
      { description: 'In the order in which they are checked. The first that refuses decides.' },
    ),
  },
  { $id: 'Explanation' },
)

export type Entitlement = Static<typeof Entitlement>
export type Decision = Static<typeof Decision>
export type AskInput = Static<typeof AskInput>
export type Explanation = Static<typeof Explanation>
