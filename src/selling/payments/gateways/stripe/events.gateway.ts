import { Check } from 'typebox/value'
import type { Report } from '../../state.ts'
import type { GatewayEvent } from '../gateway.ts'
import { StripeCharge, StripeEvent, StripeSession, StripeTrouble } from './events.schema.ts'
import { toCents } from './rules.ts'

type Named = StripeSession['payment_intent']

const idOf = (object: Named) => (typeof object === 'string' ? object : (object?.id ?? null))

/** What has become of the payment of a session of Stripe Checkout. */
export function reportOf(session: StripeSession): Report {
  const reference = idOf(session.payment_intent)
  if (session.payment_status !== 'unpaid') {
    const currency = (session.currency ?? '').toUpperCase()
    return { kind: 'paid', amountCents: toCents(session.amount_total ?? 0, currency), currency, reference }
  }
  if (session.status === 'expired') return { kind: 'cancelled' }
  // Direct debits and bank transfers take days.
  return session.status === 'complete' ? { kind: 'pending', reference } : { kind: 'open' }
}

/** The payment of a session. Companies may share an account at Stripe, so events of others are left out. */
function paymentOf({ metadata }: StripeSession, companyId: number): number | undefined {
  const id = metadata?.licet_payment ?? ''
  return metadata?.licet_company === String(companyId) && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

function ofSession(session: StripeSession, companyId: number, report: Report): GatewayEvent[] {
  const paymentId = paymentOf(session, companyId)
  return paymentId === undefined ? [] : [{ kind: 'report', paymentId, report }]
}

/** The events that are read. */
export const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
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
