import { findGroup } from '#people/groups/queries.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { readOrders } from '#selling/orders/queries.ts'
import { orderPath } from '#selling/orders/rules.ts'
import { findOpenPeriod, readSubscriptionsOf } from '../queries.ts'
import type { OpenPeriod } from '../rules.ts'
import { readSettings } from '../settings/queries.ts'
import type { SubscriptionState } from '../state.ts'
import { openPaymentOf } from './rules.ts'
import type { OpenPayment, OwedPayment } from './state.ts'

/** More subscriptions than anybody has at a time. */
const READ_MAX = 20

/** The period of a subscription that is not paid; undefined if there is none. */
export async function readOpenPayment(
  db: Db,
  subscription: SubscriptionState,
  open: OpenPeriod | undefined,
): Promise<OpenPayment | undefined> {
  if (open === undefined || open.isOrderPaid || open.isOrderCancelled) return undefined
  const [settings, [order]] = await Promise.all([
    readSettings(db, subscription.company_id),
    readOrders(db, subscription.company_id, [open.order_id]),
  ])
  return order && openPaymentOf(subscription, open, { order, token: orderPath(order), settings })
}

/** What a customer is late with, by subscription. */
export async function readOwed(
  db: Db,
  companyId: number,
  customerId: number,
  language: string,
): Promise<OwedPayment[]> {
  const all = await readSubscriptionsOf(db, companyId, customerId, READ_MAX)
  const late = all.filter(({ status }) => status === 'past_due')
  const owed = await Promise.all(
    late.map(async (subscription): Promise<OwedPayment[]> => {
      const [group, period] = await Promise.all([
        findGroup(db, companyId, subscription.group_id),
        findOpenPeriod(db, subscription),
      ])
      const open = await readOpenPayment(db, subscription, period)
      const title = group === undefined ? subscription.group_id : titleIn(group, language)
      return open === undefined ? [] : [{ subscription: { id: subscription.id, title }, open }]
    }),
  )
  return owed.flat()
}
