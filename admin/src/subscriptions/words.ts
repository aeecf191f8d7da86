import type { Group } from '../groups/queries.ts'
import type { Plan } from '../plans/queries.ts'
import { costOf } from '../plans/words.ts'
import type { Tone } from '../ui/page.tsx'
import { dayText, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Period, Subscription } from './queries.ts'
import type { State } from './search.ts'

const TONES: Record<State, Tone> = {
  incomplete: 'wait',
  trialing: 'part',
  active: 'ok',
  past_due: 'bad',
  paused: 'wait',
  cancelled: 'part',
  ended: 'draft',
}

export function stateOf({ status }: Pick<Subscription, 'status'>): { tone: Tone; text: string } {
  return { tone: TONES[status], text: t(`subscriptions.states.${status}`) }
}

/** Who has it: the address, or that nobody knows any more. */
export function ownerOf({ email }: Pick<Subscription, 'email'>): string {
  return email ?? t('subscriptions.forgotten')
}

/** The group and the plan, as far as they are known yet. */
export function planOf(
  { plan_id, group_id }: Pick<Subscription, 'plan_id' | 'group_id'>,
  plans: readonly Plan[] | undefined,
  groups: readonly Group[] | undefined,
): string {
  const plan = plans?.find(({ id }) => id === plan_id)
  const group = groups?.find(({ id }) => id === group_id)
  return [group?.title ?? group_id, plan?.title].filter(Boolean).join(' · ')
}

/** What the next period costs, as the price has it. */
export function nextAmountOf(subscription: Subscription): number {
  const { amount, credit, next_amount, next_amount_from, period_end } = subscription
  const isNew = next_amount !== null && next_amount_from !== null && next_amount_from <= period_end
  return Math.max(0, (isNew ? next_amount : amount) - credit)
}

/** Does nothing follow the running period? */
function isLast({ renewals_left, period }: Subscription): boolean {
  return renewals_left === 0 && period > 0
}

/** What happens next, and when. */
export function nextOf(subscription: Subscription): string {
  const { status, period_end, ends_at, ended_at, paused_until, next_action_at, currency } = subscription
  switch (status) {
    case 'incomplete':
      return t('subscriptions.next.incomplete')
    case 'ended':
      return t('subscriptions.next.ended', { day: shortTime(ended_at ?? period_end) })
    case 'cancelled':
      return t('subscriptions.next.ends', { day: shortTime(ends_at ?? period_end) })
    case 'paused':
      return paused_until === null ? '' : t('subscriptions.next.resumes', { day: shortTime(paused_until) })
    case 'past_due':
      return next_action_at === null
        ? ''
        : t('subscriptions.next.tried', { day: shortTime(next_action_at), amount: nextSum(subscription) })
    default:
      if (isLast(subscription)) return t('subscriptions.next.ends', { day: shortTime(period_end) })
      if (paused_until !== null) return t('subscriptions.next.pauses', { day: shortTime(period_end) })
      return t('subscriptions.next.renews', {
        day: shortTime(period_end),
        amount: money(nextAmountOf(subscription), currency),
      })
  }
}

const nextSum = (subscription: Subscription) => money(nextAmountOf(subscription), subscription.currency)

/** What was agreed: `€7.90 every month`. */
export function agreedOf({ amount, currency }: Subscription, plan: Plan | undefined): string {
  const sum = money(amount, currency)
  return plan === undefined ? sum : costOf(plan, sum)
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** From one day to another. */
export function spanOf({ starts_at, ends_at }: Pick<Period, 'starts_at' | 'ends_at'>): string {
  return t('list.between', { from: dayText(starts_at, DAY), to: dayText(ends_at, DAY) })
}

const REASONS = [
  'bill',
  'card_declined',
  'expired_card',
  'insufficient_funds',
  'authentication_required',
  'means_missing',
] as const

/** Why a charge failed; what only the gateway knows is said in its words. */
export function reasonOf(reason: unknown): string {
  const known = REASONS.find((each) => each === reason)
  if (known !== undefined) return t(`subscriptions.reasons.${known}`)
  return typeof reason === 'string' && reason !== '' ? reason : t('subscriptions.reasons.other')
}
