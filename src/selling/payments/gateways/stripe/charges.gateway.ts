import type Stripe from 'stripe'
import { orderName } from '#selling/orders/rules.ts'
import type { PaymentState } from '../../state.ts'
import type { Charged, Means } from '../gateway.ts'
import { CHARGED_AGAIN, paymentOf, reportOfIntent } from './events.gateway.ts'
import { readMeans, type SavedMeans } from './means.gateway.ts'
import { carryOutOnce } from './once.gateway.ts'
import { describeMethod, failureOf, toMinorUnits } from './rules.ts'

/** As many as a page has at most, which is more than a customer has attempts under way. */
const INTENTS_MAX = 100

/** `home` is the address of the service. */
export type Client = { stripe: Stripe; errors: typeof Stripe.errors; home: string }

/** Charges saved means without the customer, by a payment intent that is made and confirmed in one request. */
export async function chargeAgain(
  { stripe, errors, home }: Client,
  earlier: PaymentState,
  payment: PaymentState,
): Promise<Charged> {
  const amount = toMinorUnits(payment.amount_cents, payment.currency)
  if (amount === undefined) return { kind: 'failed', failure: 'amount_not_payable' }
  try {
    if (payment.reference !== null) return reportOfIntent(await stripe.paymentIntents.retrieve(payment.reference))
    const means = await readMeans(stripe, earlier)
    if (means === undefined) return { kind: 'failed', failure: 'means_missing' }
    const intent = await carryOutOnce(errors, {
      key: `licet-charge-${payment.token}`,
      find: () => findIntent(stripe, means, payment),
      send: (idempotencyKey) =>
        stripe.paymentIntents.create(intentOf(payment, amount, means, home), { idempotencyKey }),
    })
    return reportOfIntent(intent)
  } catch (error) {
    // The bank has said no, or Stripe has understood the request and refuses it. Anything else may work later.
    if (error instanceof errors.StripeCardError) return { kind: 'failed', failure: failureOf(error) }
    if (error instanceof errors.StripeInvalidRequestError) return { kind: 'failed', failure: error.code ?? 'refused' }
    throw error
  }
}

/** What has become of an earlier try of the same payment. Lists are complete at once, unlike Stripe's search. */
async function findIntent(
  stripe: Stripe,
  { customer }: SavedMeans,
  { company_id, id }: PaymentState,
): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await stripe.paymentIntents.list({ customer, limit: INTENTS_MAX })
  return data.find(({ metadata }) => paymentOf({ metadata }, company_id) === id && CHARGED_AGAIN in metadata)
}

/** Made from the stored payment and the saved means alone, so that the same key always comes with the same request. */
function intentOf(
  payment: PaymentState,
  amount: number,
  { customer, method }: SavedMeans,
  home: string,
): Stripe.PaymentIntentCreateParams {
  return {
    amount,
    currency: payment.currency.toLowerCase(),
    customer,
    payment_method: method.id,
    off_session: true,
    confirm: true,
    // Stripe wants one because some means ask the customer elsewhere. Without the customer nobody is sent there.
    return_url: home,
    description: orderName(payment.order_id),
    metadata: {
      licet_company: String(payment.company_id),
      licet_order: String(payment.order_id),
      licet_payment: String(payment.id),
      [CHARGED_AGAIN]: 'true',
    },
  }
}

/** Means that were taken from their customer can be charged no longer. */
export async function describeMeans(
  { stripe, errors }: Omit<Client, 'home'>,
  earlier: PaymentState,
): Promise<Means | null> {
  try {
    const means = await readMeans(stripe, earlier)
    return means === undefined || means.method.customer === null ? null : describeMethod(means.method)
  } catch (error) {
    if (error instanceof errors.StripeInvalidRequestError) return null
    throw error
  }
}
