import { Check } from 'typebox/value'
import type { Report } from '../../state.ts'
import type { Charged, GatewayEvent } from '../gateway.ts'
import { StripeCharge, StripeEvent, StripeIntent, StripeSession, StripeTrouble } from './events.schema.ts'
import { failureOf, toCents } from './rules.ts'

type Named = StripeSession['payment_intent']

/** What a payment intent has that no session of Stripe Checkout has made. */
export const CHARGED_AGAIN = 'licet_again'

export const idOf = (object: Named) => (typeof object === 'string' ? object : (object?.id ?? null))

/** What has become of the payment of a session of Stripe Checkout. */
export function reportOf(session: StripeSession): Report {
  if (session.mode === 'setup') return reportOfSetup(session)
  const reference = idOf(session.payment_intent)
  if (session.payment_status !== 'unpaid') {
    const currency = (session.currency ?? '').toUpperCase()
    return { kind: 'paid', amountCents: toCents(session.amount_total ?? 0, currency), currency, reference }
  }
  if (session.status === 'expired') return { kind: 'cancelled' }
  // Direct debits and bank transfers take days.
  return session.status === 'complete' ? { kind: 'pending', reference } : { kind: 'open' }
}

/** A trial is paid with nothing once the means of payment are saved. Stripe calls it paid before. */
function reportOfSetup({ status, setup_intent, metadata }: StripeSession): Report {
  if (status === 'expired') return { kind: 'cancelled' }
  if (status !== 'complete') return { kind: 'open' }
  return { kind: 'paid', amountCents: 0, currency: metadata?.licet_currency ?? '', reference: idOf(setup_intent) }
}

/** What has become of a charge without the customer. Nobody goes on with one that was not paid. */
export function reportOfIntent(intent: StripeIntent): Charged {
  const { id: reference, status, amount_received, last_payment_error } = intent
  const currency = intent.currency.toUpperCase()
  switch (status) {
    case 'succeeded':
      return { kind: 'paid', amountCents: toCents(amount_received, currency), currency, reference }
    case 'processing':
      return { kind: 'pending', reference }
    case 'requires_action':
      return { kind: 'failed', failure: 'authentication_required' }
    default:
      return { kind: 'failed', failure: last_payment_error ? failureOf(last_payment_error) : status }
  }
}

/** The payment of a session or an intent. Companies may share an account at Stripe, so events of others are left out. */
export function paymentOf({ metadata }: Pick<StripeSession, 'metadata'>, companyId: number): number | undefined {
  const id = metadata?.licet_payment ?? ''
  return metadata?.licet_company === String(companyId) && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

function ofSession(session: StripeSession, companyId: number, report: Report): GatewayEvent[] {
  const paymentId = paymentOf(session, companyId)
  return paymentId === undefined ? [] : [{ kind: 'report', paymentId, report }]
}

/** Sessions have events of their own, so those of their intents are left out. */
function ofIntent(intent: StripeIntent, companyId: number): GatewayEvent[] {
  const paymentId = intent.metadata?.[CHARGED_AGAIN] === undefined ? undefined : paymentOf(intent, companyId)
  return paymentId === undefined ? [] : [{ kind: 'report', paymentId, report: reportOfIntent(intent) }]
}

/** The events that are read. */
export const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
] as const

/** The news in an event. Events about other things are left out. Undefined: Stripe sends no such event. */
export function readEvent(event: unknown, companyId: number): GatewayEvent[] | undefined {
  if (!Check(StripeEvent, event)) return undefined
  const { object } = event.data
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return Check(StripeSession, object) ? ofSession(object, companyId, reportOf(object)) : undefined
    case 'checkout.session.async_payment_failed': {
      const report = { kind: 'failed', failure: 'async_payment_failed' } as const
      return Check(StripeSession, object) ? ofSession(object, companyId, report) : undefined
    }
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
      return Check(StripeIntent, object) ? ofIntent(object, companyId) : undefined
    case 'charge.refunded': {
      if (!Check(StripeCharge, object)) return undefined
      const refundedCents = toCents(object.amount_refunded, object.currency)
      return about(object, (reference) => ({ kind: 'refunded', reference, refundedCents }))
    }
    case 'refund.failed':
      return Check(StripeTrouble, object)
        ? about(object, (reference) => ({ kind: 'refund failed', reference }))
        : undefined
    case 'charge.dispute.created':
      return Check(StripeTrouble, object) ? about(object, (reference) => ({ kind: 'disputed', reference })) : undefined
    default:
      return []
  }
}

/** News about a payment. Money that came another way belongs to none. */
function about(
  { payment_intent }: { payment_intent?: Named },
  news: (reference: string) => GatewayEvent,
): GatewayEvent[] {
  const reference = idOf(payment_intent)
  return reference === null ? [] : [news(reference)]
}
