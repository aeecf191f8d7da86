import { type Static, Type } from 'typebox'

/** What the service reads of Stripe's events. An event that is signed, but not like this, was not made by Stripe. */

const AMOUNT_MAX = 1_000_000_000_000

const Name = Type.String({ pattern: '^[\\w-]{1,255}$' })
const Currency = Type.String({ pattern: '^[A-Za-z]{3}$' })
const Amount = Type.Integer({ minimum: 0, maximum: AMOUNT_MAX })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Stripe sends the name of another object, or all of it. */
const Named = orNull(Type.Union([Name, Type.Object({ id: Name })]))

export const StripeEvent = Type.Object({ type: Type.String(), data: Type.Object({ object: Type.Object({}) }) })

/** A session of Stripe Checkout. */
export const StripeSession = Type.Object({
  /** `setup`: it only saves the means of payment. */
  mode: Type.Optional(Type.String()),
  payment_intent: Named,
  setup_intent: Named,
  payment_status: Type.String(),
  status: orNull(Type.String()),
  currency: orNull(Currency),
  amount_total: orNull(Amount),
  metadata: orNull(Type.Record(Type.String(), Type.String())),
})

/** A payment intent. */
export const StripeIntent = Type.Object({
  id: Name,
  status: Type.String(),
  amount_received: Amount,
  currency: Currency,
  last_payment_error: orNull(
    Type.Object({
      code: orNull(Type.String({ maxLength: 255 })),
      decline_code: orNull(Type.String({ maxLength: 255 })),
    }),
  ),
  metadata: orNull(Type.Record(Type.String(), Type.String())),
})

export const StripeCharge = Type.Object({ payment_intent: Named, amount_refunded: Amount, currency: Currency })

/** A refund or a dispute. */
export const StripeTrouble = Type.Object({ payment_intent: Named })

export type StripeSession = Static<typeof StripeSession>
export type StripeIntent = Static<typeof StripeIntent>
