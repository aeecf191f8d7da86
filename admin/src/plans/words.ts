import type { Price } from '../products/queries.ts'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Plan } from './queries.ts'

export const INTERVALS = ['week', 'month', 'quarter', 'year'] as const satisfies readonly Plan['interval'][]

/** What a price is in the currency of the shop, or else in its first one. */
export function amountOf(price: Price | undefined, currency: string): string {
  const amounts = price?.currencies ?? []
  const amount = amounts.find((each) => each.currency.toUpperCase() === currency) ?? amounts[0]
  return amount === undefined ? (price?.title ?? '') : money(amount.price, amount.currency.toUpperCase())
}

/** A price in a list of them: its name, and what it is in each currency. */
export function nameOfPrice({ title, currencies }: Price): string {
  const amounts = currencies.map(({ price, currency }) => money(price, currency.toUpperCase())).join(' · ')
  return [...new Set([title, amounts])].filter(Boolean).join(' · ')
}

/** What a plan costs, and how often. */
export function costOf({ interval, interval_count }: Plan, amount: string): string {
  return t(`plans.costs.${interval}`, { amount, count: interval_count })
}

/** What is free, how long people are bound to it, and when it ends. */
export function termsOf({ interval, interval_count, trial_days, minimum_periods, renewals }: Plan): string {
  return [
    trial_days === 0 ? '' : t('plans.free', { count: trial_days }),
    minimum_periods === 0 ? '' : t(`plans.at_least.${interval}`, { count: minimum_periods * interval_count }),
    renewals === null ? '' : t(`plans.ends.${interval}`, { count: (renewals + 1) * interval_count }),
  ]
    .filter(Boolean)
    .join(', ')
}
