import { chooseLocale } from '#locales/rules.ts'
import type { StoredLocale } from '#products/locales.ts'
import type { Rate } from '#taxes/rates.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import { sum } from '../totals.ts'

/** The texts of an order's products, all together: a mail that is longer is cut or refused on its way. */
const TEXTS_MAX = 500_000

type Locales = ReadonlyMap<number, readonly StoredLocale[]>

/** The title of what was bought in the language of the customer, or else as it was bought. */
export function titleOf(
  line: Pick<OrderLineState, 'product_key' | 'title'>,
  locales: Locales,
  language: string,
): string {
  const own = locales.get(line.product_key)?.find((locale) => locale.language === language.toLowerCase())
  return own?.title.trim() || line.title
}

/** What shop owners want to say of what was bought, once for each product; `isWhole`: nothing had to be left out. */
export function textsOf(
  lines: readonly OrderLineState[],
  locales: Locales,
  language: string,
): { texts: { title: string; html: string; language: string }[]; isWhole: boolean } {
  const products = new Map(lines.map((line) => [line.product_key, line]))
  const all = [...products].flatMap(([key, line]) => {
    const locale = chooseLocale(locales.get(key) ?? [], language)
    if (locale === undefined || locale.email_text.trim() === '') return []
    return { title: titleOf(line, locales, language), html: locale.email_text, language: locale.language }
  })
  let length = 0
  const texts = all.filter(({ html }) => {
    length += html.length
    return length <= TEXTS_MAX
  })
  return { texts, isWhole: texts.length === all.length }
}

/** What of the total is tax, for each rate, the highest first; without those that are none. */
export function taxesOf({ lines, shipping_lines }: OrderState): { rate: Rate; cents: number }[] {
  const parts = [
    ...lines.map(({ tax_rate, tax_cents }) => ({ rate: tax_rate, cents: tax_cents })),
    ...shipping_lines.map(({ price, tax_lines }) => ({
      rate: tax_lines[0]?.rate ?? 0,
      cents: price - sum(tax_lines.map((line) => line.price)),
    })),
  ]
  return [...Map.groupBy(parts, ({ rate }) => rate)]
    .map(([rate, ofRate]) => ({ rate, cents: sum(ofRate.map(({ cents }) => cents)) }))
    .filter(({ rate }) => rate > 0)
    .sort((one, other) => other.rate - one.rate)
}
