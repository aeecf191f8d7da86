import type { Rates } from '#catalog/currency-rates/rules.ts'
import { convertCents } from '#catalog/currency-rates/rules.ts'
import { resolvePrice } from '#catalog/prices/rules.ts'
import type { ForSale, PriceForSale } from '#catalog/products/sale/state.ts'
import { ACCESS_GROUP } from '#catalog/products/types.facts.ts'
import type { RelationState } from '#people/customers/state.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { GroupState } from '#people/groups/state.ts'
import type { Credit } from '#selling/orders/sale/credits.rules.ts'
import type { Sale } from '#selling/orders/sale/pricing.rules.ts'
import { netOf } from '#selling/orders/sale/totals.rules.ts'
import type { OrderInput } from '#selling/orders/schema.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { textsIn } from '#selling/plans/rules.ts'
import type { PlanState } from '#selling/plans/state.ts'
import type { SubscriptionState } from '../state.ts'

/** What a line of an order calls a plan. */
export function titleOf(plan: PlanState, group: Pick<GroupState, 'title' | 'locales'>, language: string): string {
  return `${titleIn(group, language)}: ${textsIn(plan, language).title}`
}

/** A period of a plan as something that can be sold. It is not in the catalog, and gives no rights: being a member does. */
export function planForSale(plan: PlanState, title: string, price: PriceForSale): ForSale {
  return {
    id: plan.product_key,
    product_id: plan.product_id,
    title,
    is_title_known: false,
    version: '',
    product_type: ACCESS_GROUP,
    gtin: null,
    weight: null,
    manage_stock: false,
    tax_class: 'standard',
    not_for_sale: null,
    published_at: null,
    pre_sales: false,
    has_content: true,
    share: null,
    parts: null,
    bindings: [{ license_id: null, hd: null, audio_type: null, num_users: null, license: null, price }],
  }
}

/** The price of a trial, in whichever currency the plan is sold. */
export function free({ valid, countries, currencies }: PriceForSale): PriceForSale {
  return {
    valid,
    countries: countries.map((price) => ({ ...price, cents: 0 })),
    currencies: currencies.map((price) => ({ ...price, cents: 0 })),
  }
}

/** A price that somebody has agreed to, as a price model of one currency. */
export function agreed({ cents, currency }: AgreedPrice): PriceForSale {
  return { valid: 1, countries: [], currencies: [{ currency, cents }] }
}

export type AgreedPrice = { cents: number; currency: string }

/** What a period costs a customer, by the rules of every sale; undefined if a rate is missing to convert it. */
export function priceFor(
  price: PriceForSale,
  { country, currency, seller }: Pick<Sale, 'country' | 'currency' | 'seller'>,
  rates: Rates,
): AgreedPrice | undefined {
  const amount = resolvePrice(price, { country: country || undefined, currency: currency ?? seller.currency, rates })
  if (amount === undefined) return undefined
  const paidIn = currency ?? amount.currency
  const cents = convertCents(amount.cents, amount.currency, paidIn, rates)
  return cents === undefined ? undefined : { cents, currency: paidIn }
}

/** What is left of an earlier plan, as far as a period can use it. */
export function creditFor(
  { credit_cents, currency, test }: Pick<SubscriptionState, 'credit_cents' | 'currency' | 'test'>,
  taxRate: number,
): Credit | undefined {
  if (credit_cents === 0) return undefined
  return { entitlement_id: null, currency, gross: credit_cents, net: netOf(credit_cents, taxRate), test }
}

/**
 * What the tax of a period depends on beside the address that the company knows: the VAT id of the period before, as long as the
 * customer is in the same country, and the country of that period if no address is known, as of somebody who ordered as a guest.
 */
export function taxedAs(
  own: Pick<RelationState, 'addresses'> | undefined,
  earlier: Pick<OrderState, 'country_code' | 'vat_id'> | undefined,
): Pick<OrderInput, 'customer' | 'vat_id'> {
  if (earlier === undefined) return {}
  const { country_code, vat_id } = earlier
  const home = own?.addresses.find((address) => address.default)?.country_code ?? ''
  return {
    ...(vat_id !== '' && (home === '' || home === country_code) ? { vat_id } : {}),
    ...(home === '' && country_code !== '' ? { customer: { addresses: [{ country_code }] } } : {}),
  }
}
