import type { Tone } from '../ui/page.tsx'
import { count, money, percent, shortTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Discount } from './queries.ts'

/** What a discount takes off. */
export function worthOf({ type, amount }: Discount, currency: string): string {
  return type === 'percentage'
    ? t('discounts.percent', { percent: percent(amount / 100, { maximumFractionDigits: 2 }) })
    : t('discounts.amount', { amount: money(amount, currency) })
}

export function validityOf({ starts_at, ends_at }: Discount): string {
  if (starts_at === null)
    return ends_at === null ? t('discounts.always') : t('discounts.until', { until: lastTime(ends_at) })
  return ends_at === null
    ? t('discounts.from', { from: shortTime(starts_at) })
    : t('discounts.between', { from: shortTime(starts_at), until: lastTime(ends_at) })
}

/** The last second that counts: what ends at midnight is valid until the day before. */
const lastTime = (wire: string) => shortTime(new Date(timeOf(wire).getTime() - 1000).toISOString().slice(0, 19))

export function usesOf({ usage_count, usage_limit }: Discount): string {
  return usage_limit === null
    ? count(usage_count)
    : t('discounts.used_of', { count: count(usage_count), limit: count(usage_limit) })
}

export type DiscountState = 'active' | 'planned' | 'ended' | 'used_up'

const TONES: Record<DiscountState, Tone> = { active: 'ok', planned: 'wait', ended: 'draft', used_up: 'draft' }

/** Can it be used now? */
export function stateOf(discount: Discount, now = new Date()): { state: DiscountState; tone: Tone; text: string } {
  const { starts_at, ends_at, usage_limit, usage_count } = discount
  const state =
    ends_at !== null && timeOf(ends_at) <= now
      ? 'ended'
      : usage_limit !== null && usage_count >= usage_limit
        ? 'used_up'
        : starts_at !== null && timeOf(starts_at) > now
          ? 'planned'
          : 'active'
  return { state, tone: TONES[state], text: t(`discounts.states.${state}`) }
}
