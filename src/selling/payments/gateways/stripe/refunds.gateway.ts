import type Stripe from 'stripe'
import type { PaymentState } from '../../state.ts'
import type { Returned } from '../gateway.ts'
import { carryOutOnce } from './once.gateway.ts'
import { toMinorUnits } from './rules.ts'

/** As many as a page has at most, which is more than an order has. */
const REFUNDS_MAX = 100

type Client = { stripe: Stripe; errors: typeof Stripe.errors }

/** Returns money once for a key, also after Stripe has forgotten the key. */
export async function refundIntent(
  { stripe: { refunds }, errors }: Client,
  { reference, currency, company_id, id }: PaymentState,
  amountCents: number,
  key: string,
): Promise<Returned> {
  const amount = toMinorUnits(amountCents, currency)
  if (reference === null || amount === undefined)
    return { kind: 'refused', reason: 'Stripe cannot refund this amount.', isFinal: true }
  const metadata = { licet_company: String(company_id), licet_payment: String(id), licet_refund: key }
  try {
    const refund = await carryOutOnce(errors, {
      key,
      async find() {
        const { data } = await refunds.list({ payment_intent: reference, limit: REFUNDS_MAX })
        return data.find((one) => one.metadata?.licet_refund === key)
      },
      send: (idempotencyKey) => refunds.create({ payment_intent: reference, amount, metadata }, { idempotencyKey }),
    })
    if (refund.status === 'failed' || refund.status === 'canceled')
      return { kind: 'refused', reason: refund.failure_reason ?? refund.status, isFinal: true }
    return { kind: 'done', externalId: refund.id }
  } catch (error) {
    // Stripe has understood the request and refuses it, and would to the same key; anything else may work later.
    if (error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError)
      return { kind: 'refused', reason: error.message, isFinal: true }
    throw error
  }
}
