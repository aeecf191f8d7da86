import type { Tx } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import { wireTimeOrNull } from '#platform/wire/times.ts'
import type { PaymentWork } from '#selling/payments/gateways/commands.ts'
import { getPlan } from '#selling/plans/queries.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { addDays, addIntervals, spanAfter } from './periods.rules.ts'
import { priceOf } from './plan-change/queries.ts'
import { type Due, lockSubscription, readRepriced } from './queries.ts'
import { note, saveSubscription } from './rows.commands.ts'
import { readSettings } from './settings/queries.ts'
import type { SubscriptionState } from './state.ts'
import { tell } from './steps.commands.ts'

const BATCH = 500

/**
 * Tells subscribers whose plan costs something else by now. The new price counts for periods that begin late enough. One that cannot
 * be compared, such as for a rate that is missing, is left for later, and holds up nobody else.
 */
export async function announcePrices(
  { db, change, now }: Pick<PaymentWork, 'db' | 'change' | 'now'>,
  only?: number,
): Promise<void> {
  const failures: unknown[] = []
  let after: Due | undefined = { company_id: only ?? 0, id: 0 }
  while (after !== undefined) {
    const found: Due[] = await readRepriced(db, after, BATCH, only)
    for (const due of found)
      await change((tx) => announcePrice(tx, due, now(due.company_id))).catch((error: unknown) => {
        if (!(error instanceof Problem)) failures.push(error)
      })
    after = found.at(-1)
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the prices of some subscriptions could not be announced')
}

async function announcePrice(tx: Tx, { company_id, id }: Due, now: Date): Promise<void> {
  const before = await lockSubscription(tx, company_id, String(id))
  const plan = await getPlan(tx, company_id, String(before.plan_id))
  const { price_notice_days } = await readSettings(tx, company_id)
  const cents = await priceOf(tx, before, plan)
  const checked = { ...before, price_checked_at: now, updated_at: now }
  if (cents === (before.announced_cents ?? before.amount_cents)) return saveSubscription(tx, before, checked, now)
  const isBack = cents === before.amount_cents
  const announced_from = isBack ? null : noticedStart(before, plan, addDays(now, price_notice_days), now)
  const after = { ...checked, announced_cents: isBack ? null : cents, announced_from }
  await saveSubscription(tx, before, after, now)
  if (isBack) return
  await note(tx, after, 'price_announced', now, { cents, from: wireTimeOrNull(announced_from) })
  await tell(tx, after, 'price_changes', now)
}

/** The start of the first period that begins after the customer has had the time to cancel, and not within a minimum term. */
function noticedStart(
  { anchor, period_end, committed_until }: SubscriptionState,
  plan: PlanState,
  noticed: Date,
  now: Date,
): Date {
  const earliest = committed_until !== null && committed_until > noticed ? committed_until : noticed
  let { starts_at } = spanAfter(anchor, plan, period_end, now)
  for (let count = 1; starts_at < earliest; count += 1) starts_at = addIntervals(period_end, plan, count)
  return starts_at
}
