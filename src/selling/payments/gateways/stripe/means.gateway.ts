import type Stripe from 'stripe'
import type { PaymentState } from '../../state.ts'
import { idOf } from './events.gateway.ts'

/** A customer of Stripe, and what the customer pays with. */
export type SavedMeans = { customer: string; method: Stripe.PaymentMethod }

/** What an earlier payment has saved: the reference names what it was paid with, or how a trial has saved it. */
export async function readMeans(stripe: Stripe, earlier: PaymentState): Promise<SavedMeans | undefined> {
  const reference = earlier.reference ?? (await referenceOf(stripe, earlier.external_id))
  if (reference === null) return undefined
  const { customer, payment_method, details } = await readIntent(stripe, reference)
  const used = generatedIn(details) ?? payment_method
  const method = typeof used === 'string' ? await stripe.paymentMethods.retrieve(used) : used
  const owner = idOf(customer)
  return owner === null || method === null ? undefined : { customer: owner, method }
}

async function referenceOf(stripe: Stripe, sessionId: string | null): Promise<string | null> {
  if (sessionId === null) return null
  const { payment_intent, setup_intent } = await stripe.checkout.sessions.retrieve(sessionId)
  return idOf(payment_intent) ?? idOf(setup_intent)
}

type Intent = {
  customer: { id: string } | string | null
  payment_method: Stripe.PaymentMethod | string | null
  details: object | null
}

async function readIntent(stripe: Stripe, reference: string): Promise<Intent> {
  if (reference.startsWith('seti_')) {
    const expand = ['payment_method', 'latest_attempt']
    const { customer, payment_method, latest_attempt } = await stripe.setupIntents.retrieve(reference, { expand })
    const details = latest_attempt instanceof Object ? latest_attempt.payment_method_details : null
    return { customer, payment_method, details }
  }
  const expand = ['payment_method', 'latest_charge']
  const { customer, payment_method, latest_charge } = await stripe.paymentIntents.retrieve(reference, { expand })
  const details = latest_charge instanceof Object ? latest_charge.payment_method_details : null
  return { customer, payment_method, details }
}

/** Ways such as iDEAL can be used once, and leave a direct debit for later charges. */
function generatedIn(details: object | null): string | undefined {
  const parts = Object.values(details ?? {}).filter((part) => part instanceof Object)
  return parts.map(({ generated_sepa_debit }) => generated_sepa_debit).find((id) => typeof id === 'string')
}
