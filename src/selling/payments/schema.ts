import { type Static, Type } from 'typebox'
import { Id, named, nullable, Text, Time } from '#platform/wire/schema.ts'
import { Order } from '#selling/orders/schema.ts'

const INSTRUCTIONS_MAX = 1000
const KEY_MAX = 300
const DUE_DAYS_MAX = 365
const GUEST_BILL_HOURS_MAX = 8760

const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })
const STATUSES = ['created', 'pending', 'paid', 'failed', 'cancelled', 'partially_refunded', 'refunded']

export const Payment = Type.Object(
  {
    id: Id('Id of the payment.'),
    order_id: Id('Id of the order that it is for.'),
    gateway: Type.String({ enum: ['Manual', 'Test', 'Stripe'], description: 'Through which it goes.' }),
    status: Type.String({
      enum: STATUSES,
      description: '`created`: the customer has to act. `pending`: the money is on its way.',
    }),
    test: Type.Boolean({ description: 'Moves it no money?' }),
    amount: cents('What the customer has to pay.'),
    paid_amount: cents('What has arrived.'),
    refunded_amount: cents('What went back.'),
    currency: Type.String({ description: 'Currency of the amounts.', examples: ['EUR'] }),
    reference: nullable(Type.String({ description: 'Name of the payment at the gateway.' })),
    failure: nullable(Type.String({ description: 'Why it failed, in the words of the gateway.' })),
    flags: Type.Array(
      Type.String({
        enum: ['amount_differs', 'order_cancelled', 'paid_twice', 'refund_failed', 'refunded_elsewhere', 'disputed'],
      }),
      { description: 'What the owner has to look at. Empty: nothing.' },
    ),
    created_at: Time('When it was started.'),
    updated_at: Time('When it was last changed.'),
    paid_at: nullable(Time('When the money arrived; null: it has not.')),
  },
  { $id: 'Payment' },
)

/** The order that was marked as paid. */
export const PaidOrder = Type.Object({ order: named(Order) })

/** The filters of a list of payments. */
export const PaymentFilters = Type.Object({
  order_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Those of one order.' }),
  ),
  status: Type.Optional(Type.String({ enum: STATUSES, description: 'Those with this status.' })),
  flagged: Type.Optional(Type.Boolean({ description: 'True: only those that the owner has to look at.' })),
})

const Enabled = Type.Boolean({ description: 'Do the shops of the company offer it?' })

const DueDays = Type.Integer({
  minimum: 0,
  maximum: DUE_DAYS_MAX,
  description: 'Bills that nobody has paid after as many days are cancelled; 0: never.',
  examples: [14],
})

const GuestBillHours = Type.Integer({
  minimum: 0,
  maximum: GUEST_BILL_HOURS_MAX,
  description:
    'The same in hours for bills of customers who have not signed in, whose address nobody has proved; 0: no sooner than other bills.',
  examples: [24],
})

export const PaymentSettings = Type.Object(
  {
    manual: Type.Object({
      enabled: Enabled,
      instructions: Type.String({ description: 'How customers pay their bills, such as a bank account.' }),
      payment_due_days: DueDays,
      guest_bill_hours: GuestBillHours,
    }),
    test: Type.Object({ enabled: Enabled }),
    stripe: Type.Object({
      enabled: Enabled,
      secret_key_hint: Type.String({ description: 'End of the secret key; empty: there is none.' }),
      test_mode: Type.Boolean({ description: 'Is the key one of the test mode?' }),
      has_webhook_secret: Type.Boolean({ description: 'Is there a signing secret for events?' }),
      webhook_url: Type.String({ description: "Address for the webhook in Stripe's dashboard." }),
    }),
  },
  { $id: 'PaymentSettings' },
)

/** Settings that are left out stay as they are. Secrets can be set and not read. */
export const PaymentSettingsInput = Type.Object(
  {
    manual: Type.Optional(
      Type.Object({
        enabled: Type.Optional(Enabled),
        instructions: Type.Optional(Text(INSTRUCTIONS_MAX, 'How customers pay their bills.')),
        payment_due_days: Type.Optional(DueDays),
        guest_bill_hours: Type.Optional(GuestBillHours),
      }),
    ),
    test: Type.Optional(Type.Object({ enabled: Type.Optional(Enabled) })),
    stripe: Type.Optional(
      Type.Object({
        enabled: Type.Optional(Enabled),
        secret_key: Type.Optional(Text(KEY_MAX, 'Secret or restricted key. An empty text removes both secrets.')),
        webhook_secret: Type.Optional(Text(KEY_MAX, 'Signing secret of the webhook. An empty text removes it.')),
      }),
    ),
  },
  { $id: 'PaymentSettingsInput', examples: [{ manual: { enabled: true, instructions: 'IBAN DE…' } }] },
)

export type Payment = Static<typeof Payment>
export type PaymentFilters = Static<typeof PaymentFilters>
export type PaymentSettings = Static<typeof PaymentSettings>
export type PaymentSettingsInput = Static<typeof PaymentSettingsInput>
