import type { MailLocale } from '#catalog/products/state.ts'
import { productTypeOf, type Use } from '#catalog/products/types.facts.ts'
import type { Rate } from '#identity/addresses/vat-rates.facts.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { taxesOfShipping } from '../rules.ts'
import { sum } from '../sale/totals.rules.ts'
import type { OrderLineState, OrderState } from '../state.ts'

/** The limit for all product texts of a mail together; mail servers cut or refuse longer mails. */
const TEXTS_MAX = 500_000

type Locales = ReadonlyMap<number, readonly MailLocale[]>

/** The title of the product in the language of the customer, or else the title that was stored with the order. */
export function titleOf(
  line: Pick<OrderLineState, 'product_key' | 'title'>,
  locales: Locales,
  language: string,
): string {
  const own = locales.get(line.product_key)?.find((locale) => locale.language === language.toLowerCase())
  return own?.title.trim() || line.title
}

/** The mail text of a product, in the language that is available. */
export type ProductText = { title: string; language: string; mail: MailLocale['mail'] }

/** The mail texts of the products, each once. `isWhole` is true if no text had to be left out. */
export function textsOf(
  lines: readonly OrderLineState[],
  locales: Locales,
  language: string,
): { texts: ProductText[]; isWhole: boolean } {
  const products = new Map(lines.map((line) => [line.product_key, line]))
  const all = [...products].flatMap(([key, line]) => {
    const locale = chooseLocale(locales.get(key) ?? [], language)
    if (locale === undefined || locale.mail.text === '') return []
    return { title: titleOf(line, locales, language), language: locale.language, mail: locale.mail }
  })
  let length = 0
  const texts = all.filter(({ mail }) => {
    length += mail.html.length
    return length <= TEXTS_MAX
  })
  return { texts, isWhole: texts.length === all.length }
}

/** The taxes in the total by rate, highest first; rates of zero are left out. */
export function taxesOf({ lines, shipping_lines }: OrderState): { rate: Rate; cents: number }[] {
  const parts = [
    ...lines.map(({ tax_rate, tax_cents }) => ({ rate: tax_rate, cents: tax_cents })),
    ...shipping_lines.flatMap(taxesOfShipping).map(({ rate, tax }) => ({ rate, cents: tax })),
  ]
  return [...Map.groupBy(parts, ({ rate }) => rate)]
    .map(([rate, ofRate]) => ({ rate, cents: sum(ofRate.map(({ cents }) => cents)) }))
    .filter(({ rate }) => rate > 0)
    .sort((one, other) => other.rate - one.rate)
}

/** The taxes in the total with what they are on. */
export function sumsOfTaxes(order: OrderState): { rate: Rate; net: number; cents: number }[] {
  return taxesOf(order).map(({ rate, cents }) => ({
    rate,
    net: sum(order.tax_lines.filter((line) => line.rate === rate).map(({ price }) => price)),
    cents,
  }))
}

/** Something of an order that can be used now. */
export type Usable = { line: OrderLineState; entitlement: EntitlementState; use: Use }

/**
 * What the customer can do at once, the first thing apart. Without one there is nothing to use yet: it has to be paid,
 * released, shipped or redeemed first, or the customer wants to keep the right of withdrawal.
 */
export function nextOf(
  { lines }: OrderState,
  entitlements: ReadonlyMap<number, readonly EntitlementState[]>,
  now: Date,
): { first: Usable | undefined; further: Usable[] } {
  const usable = lines.flatMap((line) => {
    const [entitlement] = entitlements.get(line.id) ?? []
    if (entitlement === undefined || statusOf(rightsOf(entitlement), now).state !== 'active') return []
    return { line, entitlement, use: productTypeOf(entitlement.product_type).use ?? 'open' }
  })
  const [first, ...further] = usable
  return { first, further }
}
