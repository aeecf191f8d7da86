import { addDays } from '../periods.rules.ts'
import { graceDays, isBilled, type OpenPeriod, retryTime } from '../rules.ts'
import type { SubscriptionSettings } from '../settings/state.ts'
import type { SubscriptionState } from '../state.ts'
import type { OpenPayment } from './state.ts'

type Owed = { order: { total_cents: number; currency: string }; token: string; settings: SubscriptionSettings }

/** The open period as its customer has to deal with it. */
export function openPaymentOf(subscription: SubscriptionState, open: OpenPeriod, owed: Owed): OpenPayment {
  const { order, token, settings } = owed
  const charges = open.payments.filter(({ off_session }) => off_session)
  const last = charges.at(-1)
  const isBill = isBilled(subscription)
  const isUnderWay = open.payments.some(
    ({ status, off_session, gateway }) =>
      gateway !== 'Manual' && (status === 'pending' || (status === 'created' && off_session)),
  )
  const failure =
    last?.status !== 'failed' ? undefined : last.failure === 'authentication_required' ? 'confirm' : 'declined'
  const retry =
    last === undefined || isUnderWay || isBill ? undefined : retryTime(open.created_at, last.created_at, settings)
  return {
    cents: order.total_cents,
    currency: order.currency,
    token,
    since: open.starts_at,
    failure,
    is_under_way: isUnderWay,
    retry_at: retry,
    open_until: addDays(isBill ? open.starts_at : open.created_at, graceDays(settings)),
    is_bill: isBill,
  }
}
