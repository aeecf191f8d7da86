import { type Static, Type } from 'typebox'
import { Id, named, nullable, Time } from '#platform/wire/schema.ts'
import { Order } from '#selling/orders/schema.ts'
import { KeyText } from './gateways/settings.schema.ts'
import { ALL_GATEWAYS, GATEWAY_NAMES, type GatewayKey, type Gateways } from './gateways/table.facts.ts'

const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })
const STATUSES = ['created', 'pending', 'paid', 'failed', 'cancelled', 'partially_refunded', 'refunded']

export const Payment = Type.Object(
  {
    id: Id('Id of the payment.'),
    order_id: Id('Id of the order that it is for.'),
    gateway: Type.String({ enum: [...GATEWAY_NAMES], description: 'Through which it goes.' }),
    status: Type.String({
      enum: STATUSES,
      description: '`created`: the customer has to act. `pending`: the money is on its way.',
    }),
    test: Type.Boolean({ description: 'Whether it is a test, in which no money moves.' }),
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

type SettingsOf<Part extends 'settings' | 'input'> = { [Key in GatewayKey]: Gateways[Key][Part] }

/** One part of every gateway, by the key of the gateway. */
function eachOf<Part extends 'settings' | 'input'>(part: Part): SettingsOf<Part> {
  return Object.fromEntries(ALL_GATEWAYS.map(({ key, kind }) => [key, kind[part]])) as SettingsOf<Part>
}

export const PaymentSettings = Type.Object(eachOf('settings'), { $id: 'PaymentSettings' })

/** Settings that are left out stay as they are. Secrets can be set and not read. */
export const PaymentSettingsInput = Type.Partial(Type.Object(eachOf('input')), {
  $id: 'PaymentSettingsInput',
  examples: [{ manual: { enabled: true, instructions: 'IBAN DE…' } }],
})

/** What a gateway said to a key. */
export const GatewayConnection = Type.Object({
  account: Type.String({ description: 'Whose account it is; empty if the key may not read that.' }),
  test_mode: Type.Boolean({ description: 'Is the key one of the test mode?' }),
  webhook_refusal: nullable(
    Type.String({
      description:
        'Why the gateway will not send its events here, in its own words; null: it will. Without events, payments are noticed later.',
    }),
  ),
})

export const GatewayConnectionInput = Type.Object({
  gateway: Type.Unsafe<GatewayKey>({
    type: 'string',
    enum: ALL_GATEWAYS.flatMap(({ key, kind }) => (kind.connect === undefined ? [] : [key])),
    description: 'Key of the gateway in the payment settings.',
  }),
  secret_key: Type.Optional(KeyText('Secret key of the account. Without it, the stored one is checked again.')),
})

export type GatewayConnection = Static<typeof GatewayConnection>
export type Payment = Static<typeof Payment>
export type PaymentFilters = Static<typeof PaymentFilters>
export type PaymentSettings = Static<typeof PaymentSettings>
export type PaymentSettingsInput = Static<typeof PaymentSettingsInput>
