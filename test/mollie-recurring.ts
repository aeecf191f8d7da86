import type { FakeMollie, MolliePayment, MollieResult } from './mollie.ts'

export type Customer = { resource: 'customer'; id: string; mode: MolliePayment['mode']; email: string }

export type Mandate = {
  resource: 'mandate'
  id: string
  customerId: string
  status: 'valid' | 'pending' | 'invalid'
  method: 'creditcard' | 'directdebit' | 'paypal'
  details: object
}

/** What becomes of the next charges of a mandate. Nothing: they are paid. */
export type Said = Pick<MolliePayment, 'status'> & { details?: object }

type Refuse = (detail: string, field: string) => MollieResult
type NewId = (prefix: string) => string
type Order = { sequenceType?: string; customerId?: string; mandateId?: string; method?: unknown }

const CARD = { cardLabel: 'Visa', cardNumber: '4242', cardExpiryDate: '2028-09-30', cardHolder: 'Jane Doe' }

/** Mollie makes a mandate when the first payment is paid, and names it then. */
export function withMandate(mollie: FakeMollie, newId: NewId, payment: MolliePayment): MolliePayment {
  const { sequenceType, customerId, mandateId, status } = payment
  if (sequenceType !== 'first' || status !== 'paid' || customerId === undefined || mandateId !== undefined)
    return payment
  const known = { resource: 'mandate', customerId, status: 'valid', method: 'creditcard', details: CARD } as const
  const mandate: Mandate = { id: newId('mdt'), ...known }
  mollie.mandates.set(mandate.id, mandate)
  return { ...payment, mandateId: mandate.id, method: 'creditcard' }
}

/** Why Mollie does not take a payment of a series; undefined: it does. */
export function refusalOf(
  { customers, mandates }: FakeMollie,
  { sequenceType = 'oneoff', customerId, mandateId, method }: Order,
  { cents, mode }: { cents: number; mode: MolliePayment['mode'] },
  refuse: Refuse,
): MollieResult | undefined {
  if (!['oneoff', 'first', 'recurring'].includes(sequenceType))
    return refuse('The sequence type is invalid', 'sequenceType')
  if (cents === 0 && (sequenceType !== 'first' || (method !== 'creditcard' && method !== 'paypal')))
    return refuse('The amount is lower than the minimum', 'amount')
  if (sequenceType === 'oneoff') return undefined
  if (customerId === undefined) return refuse('A customer is required for this recurring type', 'customerId')
  if (customers.get(customerId)?.mode !== mode) return refuse('The customer id is invalid', 'customerId')
  if (sequenceType === 'first') return undefined
  const valid = [...mandates.values()].filter((one) => one.customerId === customerId && one.status !== 'invalid')
  if (valid.length === 0) return refuse('No suitable mandates found for customer', 'customerId')
  if (mandateId !== undefined && !valid.some(({ id }) => id === mandateId))
    return refuse('The mandate id is invalid', 'mandateId')
  return undefined
}

/** The charge of a mandate, which needs nobody. */
export function charged({ says, mandates }: FakeMollie, payment: MolliePayment): MolliePayment {
  const { customerId, mandateId } = payment
  const found = [...mandates.values()].find((one) => one.id === mandateId || one.customerId === customerId)
  const { status, details = null } = says.get(found?.id ?? '') ?? { status: 'paid' }
  return { ...payment, mandateId: found?.id, method: found?.method ?? null, status, details, _links: {} }
}

export function openCustomer(
  { customers, done }: FakeMollie,
  id: string,
  mode: Customer['mode'],
  text: string,
  refuse: Refuse,
): MollieResult {
  const { email } = JSON.parse(text)
  if (typeof email !== 'string' || !email.includes('@')) return refuse('The email address is invalid', 'email')
  const customer: Customer = { resource: 'customer', id, mode, email }
  customers.set(id, customer)
  done.push('customer')
  return { status: 201, body: customer }
}

/** The payments and mandates of a customer; undefined if the request is about something else. */
export function readOfCustomer(mollie: FakeMollie, mode: Customer['mode'], path: string): MollieResult | undefined {
  const [, customerId, kind, id] = /^\/v2\/customers\/(\w+)\/(payments|mandates)(?:\/(\w+))?$/.exec(path) ?? []
  if (customerId === undefined) return undefined
  const absent = { status: 404, body: { status: 404, title: 'Not Found', detail: 'No such customer or mandate.' } }
  if (mollie.customers.get(customerId)?.mode !== mode) return absent
  const ofCustomer = (one: { customerId?: string | undefined }) => one.customerId === customerId
  if (kind === 'payments') {
    const payments = [...mollie.payments.values()].reverse().filter(ofCustomer)
    return { status: 200, body: { count: payments.length, _embedded: { payments } } }
  }
  const mandates = [...mollie.mandates.values()].reverse().filter(ofCustomer)
  if (id === undefined) return { status: 200, body: { count: mandates.length, _embedded: { mandates } } }
  const mandate = mandates.find((one) => one.id === id)
  return mandate === undefined ? absent : { status: 200, body: mandate }
}
