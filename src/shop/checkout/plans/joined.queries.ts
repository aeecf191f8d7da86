import { findGroup } from '#people/groups/queries.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { findPlan } from '#selling/plans/queries.ts'
import { textsIn } from '#selling/plans/rules.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { getSubscription } from '#selling/subscriptions/queries.ts'
import { isBilled, isLast } from '#selling/subscriptions/rules.ts'
import { quoteNextPeriod } from '#selling/subscriptions/sale/quote.queries.ts'
import type { SubscriptionStatus } from '#selling/subscriptions/state.ts'
import { membershipPath } from '#shop/site/paths.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The membership that an order is a period of. */
export type Joined = {
  /** The name of the group, in the language of the visitor. */
  title: string
  plan: string
  /** The page of the group. */
  url: string
  /** What it includes, for members. */
  content_url: string
  status: SubscriptionStatus
  is_trial: boolean
  interval: PlanState['interval']
  interval_count: number
  /** When money is due next; nothing if nothing more is. */
  next_charge_at: Date | undefined
  /** What is due then, in cents with the tax. */
  amount: number
  currency: string
  /** The end of the minimum term; nothing if there is none. */
  committed_until: Date | undefined
  /** When it ends by itself or because it was cancelled; nothing if it goes on. */
  ends_at: Date | undefined
  /** Is each period paid by a bill? */
  is_billed: boolean
  /** Is this the order of its first period? */
  is_new: boolean
}

/** Undefined for an order of products. */
export async function findJoined(
  db: Db,
  order: OrderState,
  { base, language }: Pick<ShopVisit, 'base' | 'language'>,
  now: Date,
): Promise<Joined | undefined> {
  const { company_id: companyId, subscription_id: id } = order
  if (id === null) return undefined
  const subscription = await getSubscription(db, companyId, String(id))
  const [group, plan] = await Promise.all([
    findGroup(db, companyId, subscription.group_id),
    findPlan(db, companyId, subscription.plan_id),
  ])
  if (group === undefined || plan === undefined) return undefined
  const title = titleIn(group, language)
  const isOver = subscription.status !== 'incomplete' && isLast(subscription)
  return {
    title,
    plan: textsIn(plan, language).title,
    url: `${base}${membershipPath(group.group_id, title)}`,
    content_url: `${base}/my-content/memberships/${group.group_id}`,
    status: subscription.status,
    is_trial: subscription.period_number === 0,
    interval: plan.interval,
    interval_count: plan.interval_count,
    next_charge_at: isOver || subscription.status === 'ended' ? undefined : subscription.period_end,
    amount: await quoteNextPeriod(db, subscription, plan, order, now),
    currency: subscription.currency,
    committed_until: subscription.committed_until ?? undefined,
    ends_at: subscription.ends_at ?? (isOver ? subscription.period_end : undefined),
    is_billed: isBilled(subscription),
    is_new: order.created_at.getTime() === subscription.created_at.getTime(),
  }
}
