import { countryName, numbers } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Fulfillment } from './queries.ts'

export const orderName = ({ id }: Pick<Fulfillment, 'id'>): string => `#${id}`

export function recipientOf({ customer }: Fulfillment): string {
  return customer?.name || customer?.company || t('fulfillments.no_address')
}

/** Where a parcel goes, in a few words. */
export function placeOf({ customer }: Fulfillment): string {
  if (customer === null) return ''
  return [`${customer.zip} ${customer.city}`.trim(), countryName(customer.country_code)].filter(Boolean).join(', ')
}

/** What to pack. Things that were refunded before they were shipped are not packed. */
export function goodsIn({ line_items }: Fulfillment): string[] {
  return line_items
    .filter(({ Quantity }) => Quantity > 0)
    .map(({ Quantity, title, version }) =>
      t('fulfillments.piece', { quantity: Quantity, title: version === '' ? title : `${title}, ${version}` }),
    )
}

/** What a parcel weighs; empty if nobody says. */
export function weightOf({ line_items }: Fulfillment): string {
  const grams = line_items.reduce((sum, { weight, Quantity }) => sum + weight * Quantity, 0)
  if (grams === 0) return ''
  const isHeavy = grams >= 1000
  const format = { style: 'unit', unit: isHeavy ? 'kilogram' : 'gram', maximumFractionDigits: 2 } as const
  return numbers(format).format(isHeavy ? grams / 1000 : grams)
}
