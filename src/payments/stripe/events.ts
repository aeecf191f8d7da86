import type Stripe from 'stripe'
import type { GatewayEvent } from '../gateway.ts'
import type { Report } from '../state.ts'
import { toCents } from './rules.ts'

const idOf = (object: string | { id: string } | null) => (typeof object === 'string' ? object : (object?.id ?? null))

/** What has become of the payment of a session of Stripe Checkout. */
export function reportOf(session: Stripe.Checkout.Session): Report {
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
function paymentOf({ metadata }: Stripe.Checkout.Session, companyId: number): number | undefined {
  const id = metadata?.licet_payment ?? ''
  return metadata?.licet_company === String(companyId) && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

function ofSession(session: Stripe.Checkout.Session, companyId: number, report: Report): GatewayEvent[] {
  const paymentId = paymentOf(session, companyId)
  return paymentId === undefined ? [] : [{ kind: 'report', paymentId, report }]
}

/** The news in an event. Events about other things are left out. */
export function readEvent(event: Stripe.Event, companyId: number): GatewayEvent[] {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return ofSession(event.data.object, companyId, reportOf(event.data.object))
    case 'checkout.session.async_payment_failed':
      return ofSession(event.data.object, companyId, { kind: 'failed', failure: 'async_payment_failed' })
    case 'charge.refunded': {
      const { payment_intent, amount_refunded, currency } = event.data.object
      const reference = idOf(payment_intent)
      return reference === null
        ? []
        : [{ kind: 'refunded', reference, refundedCents: toCents(amount_refunded, currency) }]
    }
    case 'refund.failed': {
      const reference = idOf(event.data.object.payment_intent)
      return reference === null ? [] : [{ kind: 'refund failed', reference }]
    }
    case 'charge.dispute.created': {
      const reference = idOf(event.data.object.payment_intent)
      return reference === null ? [] : [{ kind: 'disputed', reference }]
    }
    default:
      return []
  }
}
