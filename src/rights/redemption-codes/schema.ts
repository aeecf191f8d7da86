import { type Static, Type } from 'typebox'
import {
  Email,
  Id,
  NAME_MAX,
  named,
  nullable,
  Reference,
  reference,
  Text,
  Time,
  TimeInput,
} from '#platform/wire/schema.ts'
import { Entitlement } from '#rights/entitlements/schema.ts'

const TITLE_MAX = 1000
export const NOTE_MAX = 1000
const MESSAGE_MAX = 2000
/** A longer text is no code, however it was typed. */
export const CODE_MAX = 100
export const COUNT_MAX = 10_000
export const USES_MAX = 1_000_000
const MEMBER_DAYS_MAX = 36_500

export const STATES = ['active', 'on_hold', 'used_up', 'expired', 'revoked'] as const

const note = Text(NOTE_MAX, 'What the company notes about the code. Customers do not see it.')
const expires_at = Type.Optional(nullable(TimeInput('Until when it can be redeemed; null: for ever.')))

export const RedemptionGift = Type.Object(
  {
    email: Text(200, 'Who gets the mail.'),
    name: Text(NAME_MAX, 'Name of the person; empty: not known.'),
    message: Text(MESSAGE_MAX, 'What the mail says beside the code.'),
    send_at: Time('When it is sent.'),
    sent_at: nullable(Time('When it was sent; null: it waits, or was called back.')),
    called_back_at: nullable(Time('When it was called back.')),
  },
  { $id: 'RedemptionGift' },
)

export const RedemptionCode = Type.Object(
  {
    id: Id('Id of the redemption code. Read-only.'),
    code: Text(
      CODE_MAX,
      'What customers type, in any case, with or without hyphens. Imported ones are as they are printed. Read-only.',
      ['K7QM-2XWB-PD9R-HJ4T'],
    ),
    product_id: nullable(Text(50, 'The product that it gives; null: it makes a member. Read-only.')),
    group_id: nullable(Text(30, 'The group that it makes a member of; null: it gives a product. Read-only.', ['s77'])),
    member_until: nullable(Time('Until when whoever redeems it is a member. Read-only.')),
    member_days: nullable(
      Type.Integer({ description: 'For how many days whoever redeems it is a member, from then on. Read-only.' }),
    ),
    title: Text(TITLE_MAX, 'Title of the product or of the group when the code was made. Read-only.'),
    license_id: nullable(Type.Integer({ description: 'The license; null: there is none. Read-only.' })),
    license_title: nullable(Text(TITLE_MAX, 'Name of the license when the code was made. Read-only.')),
    hd: Type.Boolean({ description: 'Is it a video in high resolution? Read-only.' }),
    audio_type: nullable(Type.Integer({ description: 'The kind of audio. Read-only.' })),
    num_users: nullable(Type.Integer({ description: 'For how many users. Read-only.' })),
    uses: Type.Integer({ minimum: 1, description: 'How often it can be redeemed in all. Read-only.' }),
    used: Type.Integer({ minimum: 0, description: 'How often it was redeemed. Read-only.' }),
    remaining: Type.Integer({ minimum: 0, description: 'How often it can still be redeemed. Read-only.' }),
    state: Type.Unsafe<(typeof STATES)[number]>({
      type: 'string',
      enum: [...STATES],
      description: 'Can it be redeemed? `on_hold`: its order is not confirmed yet. Read-only.',
    }),
    order_id: nullable(Type.Integer({ description: 'The order; null: the company made the code. Read-only.' })),
    line_item_id: nullable(Type.Integer({ description: 'The line item of the order. Read-only.' })),
    test: Type.Boolean({ description: 'Was it bought in a test order? Read-only.' }),
    note,
    expires_at: nullable(Time('Until when it can be redeemed; null: for ever.')),
    revoked_at: nullable(
      Time('When the company revoked it, or a refund or cancellation ended its last use. Read-only.'),
    ),
    gift: Type.Unsafe<Static<typeof RedemptionGift> | null>({
      anyOf: [{ $ref: 'RedemptionGift#' }, { type: 'null' }],
      description: 'The last mail that gives it to somebody; null: there is none. Read-only.',
    }),
    created_at: Time('When it was made. Read-only.'),
    updated_at: Time('When it was last changed or redeemed. Read-only.'),
  },
  { $id: 'RedemptionCode' },
)

export const NewRedemptionCodes = Type.Object(
  {
    product_id: Type.Optional(reference(Text(50, 'The product that the codes give, by `product_id` or id.'))),
    group_id: Type.Optional(
      reference(Text(30, 'The group that the codes make somebody a member of, instead of a product.', ['s77'])),
    ),
    member_until: Type.Optional(nullable(TimeInput('Until when they are members; null: without an end.'))),
    member_days: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: MEMBER_DAYS_MAX,
          description: 'For how many days they are members from redeeming on, instead of `member_until`.',
        }),
      ),
    ),
    license_id: Type.Optional(Reference('The license; needed if the product is sold under several.')),
    hd: Type.Optional(Type.Boolean({ description: 'Where the license is sold in both resolutions.' })),
    audio_type: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Where it is sold by kind of audio.' }),
    ),
    num_users: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Where it is sold by users.' }),
    ),
    chosen_product_id: Type.Optional(
      reference(Text(50, 'The product to choose of a variation, by `product_id` or id.')),
    ),
    uses: Type.Optional(
      Type.Integer({ minimum: 1, maximum: USES_MAX, default: 1, description: 'How often each code can be redeemed.' }),
    ),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: COUNT_MAX, default: 1, description: 'How many codes.' })),
    expires_at,
    note: Type.Optional(note),
  },
  { $id: 'NewRedemptionCodes', examples: [{ product_id: 'B0000-0001', count: 100, note: 'Book fair' }] },
)

export const RedemptionCodeChange = Type.Object(
  { expires_at, note: Type.Optional(note) },
  { $id: 'RedemptionCodeChange', examples: [{ expires_at: '2031-12-31' }] },
)

/** What a customer got for a code: several if the product includes others. */
export const GrantedEntitlements = Type.Array(named(Entitlement))

export const RedeemInput = Type.Object({
  code: Text(CODE_MAX, 'The code as the customer typed it.', ['k7qm-2xwb-pd9r-hj4t']),
})

export const GiftInput = Type.Object(
  {
    email: Email('Who gets the mail.'),
    name: Type.Optional(Text(NAME_MAX, 'Name of the person.', ['Jane'])),
    message: Type.Optional(Text(MESSAGE_MAX, 'What the mail says beside the code.', ['Happy birthday!'])),
    send_at: Type.Optional(nullable(TimeInput('When it is sent; null or in the past: at once.'))),
    language: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Language of the mail; that of the company without it.' }),
    ),
  },
  { $id: 'GiftInput', examples: [{ email: 'jane@example.com', message: 'Happy birthday!', send_at: '2031-06-01' }] },
)

export const Redemption = Type.Object(
  {
    id: Id('Id of the redemption.'),
    customer_token: Text(50, 'The customer who redeemed the code.'),
    entitlement_ids: Type.Array(Type.Integer(), { maxItems: 1000, description: 'What the customer got.' }),
    created_at: Time('When the code was redeemed.'),
  },
  { $id: 'Redemption' },
)

export type RedemptionGift = Static<typeof RedemptionGift>
export type RedemptionCode = Static<typeof RedemptionCode>
export type NewRedemptionCodes = Static<typeof NewRedemptionCodes>
export type RedemptionCodeChange = Static<typeof RedemptionCodeChange>
export type GiftInput = Static<typeof GiftInput>
export type Redemption = Static<typeof Redemption>
