import type { Text } from '../groups/texts.tsx'
import { centsIn } from '../words/format.ts'
import type { Plan, PlanChange, PlanInput } from './queries.ts'

/** How often a plan renews: until somebody cancels it, not at all, or some times. */
export type Lasts = 'open' | 'once' | 'times'

export type PlanDraft = {
  title: string
  description: string
  texts: readonly Text[]
  /** The price that was chosen; undefined: another amount. */
  price: number | undefined
  amount: string
  interval: Plan['interval']
  count: string
  trial: string
  minimum: string
  lasts: Lasts
  renewals: string
  pausable: boolean
}

export const NEW_PLAN: PlanDraft = {
  title: '',
  description: '',
  texts: [],
  price: undefined,
  amount: '',
  interval: 'month',
  count: '1',
  trial: '0',
  minimum: '0',
  lasts: 'open',
  renewals: '',
  pausable: true,
}

export function draftOf(plan: Plan): PlanDraft {
  const { renewals } = plan
  return {
    title: plan.title,
    description: plan.description,
    texts: plan.locales,
    price: plan.price_id,
    amount: '',
    interval: plan.interval,
    count: String(plan.interval_count),
    trial: String(plan.trial_days),
    minimum: String(plan.minimum_periods),
    lasts: renewals === null ? 'open' : renewals === 0 ? 'once' : 'times',
    renewals: renewals === null || renewals === 0 ? '' : String(renewals),
    pausable: plan.pausable,
  }
}

/** A whole number that was typed; undefined if it is none. */
export const wholeIn = (typed: string): number | undefined =>
  /^\d{1,4}$/.test(typed.trim()) ? Number(typed.trim()) : undefined

export const isAmount = ({ price, amount }: PlanDraft) => price !== undefined || (centsIn(amount) ?? 0) > 0

/** Is there nothing in it that the fields say is wrong? */
export function isReadable(draft: PlanDraft): boolean {
  const numbers = [draft.count, draft.trial, draft.minimum, ...(draft.lasts === 'times' ? [draft.renewals] : [])]
  return isAmount(draft) && numbers.every((typed) => wholeIn(typed) !== undefined)
}

const renewalsOf = ({ lasts, renewals }: PlanDraft) =>
  lasts === 'open' ? null : lasts === 'once' ? 0 : (wholeIn(renewals) ?? 0)

/** A new plan of a group, as the API takes it. */
export function inputOf(group: string, price_id: number, draft: PlanDraft): PlanInput {
  return {
    group_id: group,
    title: draft.title.trim(),
    description: draft.description.trim(),
    locales: [...draft.texts],
    price_id,
    interval: draft.interval,
    interval_count: wholeIn(draft.count) ?? 1,
    trial_days: wholeIn(draft.trial) ?? 0,
    minimum_periods: wholeIn(draft.minimum) ?? 0,
    renewals: renewalsOf(draft),
    pausable: draft.pausable,
  }
}

/** What differs from the plan as it was read. Nothing else is sent, so nothing else is overwritten. */
export function changesIn(plan: Plan, price_id: number, draft: PlanDraft): PlanChange {
  const now = inputOf(plan.group_id, price_id, draft)
  const before = inputOf(plan.group_id, plan.price_id, draftOf(plan))
  const names = Object.keys(now) as (keyof PlanInput)[]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
  return Object.fromEntries(changed.map((name) => [name, now[name]]))
}
