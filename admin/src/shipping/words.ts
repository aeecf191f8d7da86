import { count, countryName, list, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { ShippingMethod } from './queries.ts'

const NAMED_MAX = 4

/** Where a method ships to. */
export function placesInWords({ countries }: ShippingMethod): string {
  if (countries.length === 0) return t('shipping.everywhere')
  const names = countries.map(countryName)
  if (names.length <= NAMED_MAX) return list(names)
  const [shown, more] = [names.slice(0, NAMED_MAX - 1), names.length - NAMED_MAX + 1]
  return t('shipping.countries_more', { names: shown.join(', '), count: more })
}

/** What a method costs: one amount, or those of the lightest and of the heaviest parcel. */
export function costInWords(
  { price_id, weight_rates, free_from }: ShippingMethod,
  centsOf: (id: number | null) => number | undefined,
  currency: string,
): string {
  const amount = (id: number | null) => {
    const cents = centsOf(id)
    return cents === 0 ? t('shipping.free') : cents === undefined ? '' : money(cents, currency)
  }
  const [first, last] = [weight_rates[0], weight_rates.at(-1)]
  const cost =
    first === undefined || last === undefined
      ? amount(price_id)
      : first === last
        ? amount(first.price_id)
        : t('shipping.by_weight', { from: amount(first.price_id), to: amount(last.price_id) })
  return free_from === null ? cost : `${cost}, ${t('shipping.free_from', { amount: money(free_from, currency) })}`
}

/** How long it takes; empty if nobody says. */
export function daysInWords({ delivery_days_min, delivery_days_max }: ShippingMethod): string {
  const min = delivery_days_min ?? delivery_days_max
  const max = delivery_days_max ?? delivery_days_min
  if (min === null || max === null) return ''
  return min === max ? t('shipping.days', { min }) : t('shipping.days_between', { min: count(min), max: count(max) })
}
