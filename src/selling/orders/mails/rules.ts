import type { MailLocale } from '#catalog/products/state.ts'
import type { Rate } from '#identity/addresses/vat-rates.facts.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
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

/** What the customer does first with what was bought. */
export type Use = 'watch' | 'listen' | 'read' | 'open'

const USES: readonly { use: Use; types: readonly number[] }[] = [
  { use: 'watch', types: [1, 9, 22] },
  { use: 'listen', types: [5, 23, 24] },
  { use: 'read', types: [16] },
]

/**
 * Undefined: there is nothing to use yet. It has to be paid, released or redeemed first, or the customer wants to keep the
 * right of withdrawal.
 */
export function useOf({ lines, withdrawal, financial_status }: OrderState): Use | undefined {
  if (financial_status === 'pending' || withdrawal?.consented === false) return undefined
  const usable = lines.filter(({ kind, code, product_exists }) => kind === 'digital' && code === null && product_exists)
  if (usable.length === 0) return undefined
  const uses = new Set(usable.map(({ product_type }) => USES.find(({ types }) => types.includes(product_type))?.use))
  const [only] = uses
  return uses.size === 1 && only !== undefined ? only : 'open'
}
