import { Check } from 'typebox/value'
import { orderName } from '#selling/orders/rules.ts'
import type { PaymentState } from '../../state.ts'
import type { Charged, Means, PaymentContext } from '../gateway.ts'
import {
  type MollieAmount,
  type MollieCustomer,
  MollieMandate,
  MollieMandates,
  MollieMetadata,
  MolliePayment,
  MolliePayments,
} from './answers.schema.ts'
import { type Answered, expectDone, type MollieApi } from './api.gateway.ts'
import { chargedOf, describeMandate, isReachable, localeOf, toAmount } from './rules.ts'

/** As many as a page has at most, which is more than a customer has attempts under way. */
const PAYMENTS_MAX = 250

/** What was saved can be charged no longer. */
const MISSING = { kind: 'failed', failure: 'means_missing' } as const

/** What a charge tells Mollie of itself. */
export type Told = { metadata: object; webhookUrl?: string }

export function toldOf({ company_id, order_id, id }: PaymentState, webhookUrl: string): Told {
  return {
    ...(isReachable(webhookUrl) ? { webhookUrl } : {}),
    metadata: { licet_company: String(company_id), licet_order: String(order_id), licet_payment: String(id) },
  }
}

/** Makes the customer to whom Mollie gives a mandate with the first payment. */
export function openCustomer(api: MollieApi, payment: PaymentState, context: PaymentContext): Promise<Answered> {
  const locale = localeOf(context.language)
  const body = { email: context.email, ...(locale === undefined ? {} : { locale }) }
  return api.post('/customers', body, `licet-customer-${payment.token}`)
}

/** What makes a payment the first of several. Mollie saves a card without charging it, and no other means. */
export function firstOf({ id: customerId }: MollieCustomer, { amount_cents }: PaymentState): object {
  const first = { customerId, sequenceType: 'first' }
  return amount_cents === 0 ? { ...first, method: 'creditcard' } : first
}

/** Charges the mandate of an earlier payment. */
export async function chargeAgain(
  { api, webhookUrl }: { api: MollieApi; webhookUrl: string },
  earlier: PaymentState,
  payment: PaymentState,
): Promise<Charged> {
  const amount = toAmount(payment.amount_cents, payment.currency)
  if (amount === undefined) return { kind: 'failed', failure: 'amount_not_payable' }
  if (payment.reference !== null)
    return chargedOf(expectDone(MolliePayment, await api.get(`/payments/${payment.reference}`)))
  const first = await findEarlier(api, earlier)
  if (!first?.customerId) return MISSING
  const { customerId } = first
  // Mollie forgets keys, and the program may come back later.
  const find = () => findPayment(api, customerId, payment)
  const known = await find()
  if (known !== undefined) return chargedOf(known)
  const mandate = await findMandate(api, first)
  if (mandate === undefined) return MISSING
  const body = recurringOf(payment, amount, { customerId, mandateId: mandate.id }, webhookUrl)
  const answered = await api.post('/payments', body, `licet-charge-${payment.token}`)
  if (answered.kind === 'absent') return MISSING
  if (answered.kind !== 'refused') return chargedOf(expectDone(MolliePayment, answered))
  // Mollie is known to have made payments that it has answered with a refusal.
  const made = await find()
  return made === undefined ? { kind: 'failed', failure: answered.reason } : chargedOf(made)
}

/** Means whose mandate has ended can be charged no longer. */
export async function describeMeans(api: MollieApi, earlier: PaymentState): Promise<Means | null> {
  const first = await findEarlier(api, earlier)
  const mandate = first && (await findMandate(api, first))
  return mandate === undefined ? null : describeMandate(mandate)
}

/** Made from stored things alone, so that the same key always comes with the same request. */
function recurringOf(
  payment: PaymentState,
  amount: MollieAmount,
  means: { customerId: string; mandateId: string },
  webhookUrl: string,
): object {
  const description = orderName(payment.order_id)
  return { amount, description, sequenceType: 'recurring', ...means, ...toldOf(payment, webhookUrl) }
}

async function findEarlier(
  api: MollieApi,
  { reference, external_id }: PaymentState,
): Promise<MolliePayment | undefined> {
  const id = reference ?? external_id
  const answered = id === null ? ({ kind: 'absent' } as const) : await api.get(`/payments/${id}`)
  return answered.kind === 'absent' ? undefined : expectDone(MolliePayment, answered)
}

/** The mandate that an earlier payment has made or used. Some methods name it only at the customer. */
async function findMandate(
  api: MollieApi,
  { customerId, mandateId }: MolliePayment,
): Promise<MollieMandate | undefined> {
  if (!customerId) return undefined
  const answered = await api.get(`/customers/${customerId}/mandates${mandateId ? `/${mandateId}` : ''}`)
  if (answered.kind === 'absent') return undefined
  const mandates = mandateId
    ? [expectDone(MollieMandate, answered)]
    : expectDone(MollieMandates, answered)._embedded.mandates
  return mandates.find(({ status }) => status !== 'invalid')
}

/** What has become of an earlier try of the same payment. */
async function findPayment(
  api: MollieApi,
  customerId: string,
  { company_id, id }: PaymentState,
): Promise<MolliePayment | undefined> {
  const answered = await api.get(`/customers/${customerId}/payments?limit=${PAYMENTS_MAX}`)
  if (answered.kind === 'absent') return undefined
  return expectDone(MolliePayments, answered)._embedded.payments.find(
    ({ metadata, sequenceType }) =>
      sequenceType === 'recurring' &&
      Check(MollieMetadata, metadata) &&
      metadata.licet_company === String(company_id) &&
      metadata.licet_payment === String(id),
  )
}
