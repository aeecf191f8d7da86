import { isContent } from '#catalog/products/types.facts.ts'
import { RATE_SCALE, type Rate } from '#identity/addresses/vat-rates.facts.ts'
import { zip } from '#platform/wire/zip.ts'
import { readTerms } from '#rights/entitlements/rules.ts'
import { taxesOf } from '#selling/orders/mails/rules.ts'
import type { ChosenLine } from '#selling/orders/sale/pricing.rules.ts'
import type { Quote } from '#selling/orders/sale/quote.queries.ts'
import { sum } from '#selling/orders/sale/totals.rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { isRental } from '#selling/orders/statistics/rules.ts'
import { type Part, type Picture, titleOfSold } from '#shop/catalog-pages/cards.present.ts'
import { deliveryDays, type ShownShipping } from '#shop/catalog-pages/shown-prices/rules.ts'
import { clausesOnPage } from '#shop/site/rights-sentences.rules.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'

/** A product as a line shows it, by its `product_id`. */
export type Shown = ReadonlyMap<string, Part>

export type SummaryLine = {
  title: string
  /** The page of the product, if it is still in the shop. */
  url: string | undefined
  picture: Picture | undefined
  /** The shape of the picture: `poster`, `square`, `book` or `goods`. */
  art: string
  /** The license in a few words. */
  terms: string
  quantity: number
  /** Is it rented? Nobody rents the same thing twice at once. */
  is_rental: boolean
  /** Is something bought for good that the customer has rented? */
  keeps_rental: boolean
  /** What was paid for the rental and is credited; 0 if nothing is, and then it costs its full price. */
  credit: number
  total: number
}

/** What templates show of an order, before and after it is placed. Amounts are in cents. */
export type Summary = {
  count: number
  currency: string
  lines: SummaryLine[]
  subtotal: number
  discount: { code: string; amount: number } | undefined
  /** `days` is how long it takes; nothing for an order that was placed, and where nobody says. */
  shipping: { title: string; price: number; days: ShownShipping['days'] } | undefined
  net: number
  /** Does the customer, a company in another country of the Union, owe the tax? */
  is_reverse_charge: boolean
  taxes: { rate: string; net: number; amount: number }[]
  total: number
}

function percent(rate: Rate, language: string): string {
  const style = { style: 'percent', maximumFractionDigits: 2 } as const
  return new Intl.NumberFormat(language, style).format(rate / RATE_SCALE)
}

/** The name of the license and its terms, as in "Rent, 48 hours from first play". */
function termsOf({ product, binding }: ChosenLine, languages: readonly string[], country: string): string {
  const { license } = binding
  if (license === null) return ''
  const rights = {
    terms: readTerms(license.terms),
    product_type: product.product_type,
    users: binding.num_users ?? 1,
  }
  const name = textIn(inOrder(license.locales, languages), 'name')?.text ?? license.name
  const clauses = isContent(product.product_type)
    ? clausesOnPage(rights, { language: languages[0] ?? 'en', country })
    : []
  return [name, ...clauses.slice(0, 2).map(({ text }) => text.replace(/\.$/, ''))].join(' · ')
}

/** The order that would be placed now. */
export function summaryOfQuote({ draft, pricing }: Quote, shown: Shown, languages: readonly string[]): Summary {
  const { totals } = pricing
  const language = languages[0] ?? 'en'
  const [code] = pricing.discounts
  const parts = [
    ...zip(totals.lines, pricing.rates).map(([{ net, tax }, rate]) => ({ rate, net, tax })),
    ...zip(totals.shipping, pricing.shippingRates).map(([{ net, tax }, rate]) => ({ rate, net, tax })),
  ]
  return {
    count: sum(draft.lines.map(({ quantity }) => quantity)),
    currency: pricing.currency,
    lines: zip(draft.lines, totals.lines).map(([line, { list }], index) => ({
      ...shownAs(line.product, shown),
      terms: termsOf(line, languages, draft.sale.country),
      quantity: line.quantity,
      is_rental: isRental(line.binding.license),
      keeps_rental: line.keepsRental,
      credit: pricing.credits[index] ?? 0,
      total: list,
    })),
    subtotal: totals.lineItems,
    discount: code === undefined ? undefined : { code: code.code, amount: totals.discount },
    shipping:
      draft.method === undefined
        ? undefined
        : {
            title: draft.method.title,
            price: sum(totals.shipping.map(({ list }) => list)),
            days: deliveryDays(draft.method),
          },
    net: totals.net,
    is_reverse_charge: draft.sale.reverseCharge,
    taxes: [...Map.groupBy(parts, ({ rate }) => rate)]
      .filter(([rate]) => rate > 0)
      .sort(([one], [other]) => other - one)
      .map(([rate, ofRate]) => ({
        rate: percent(rate, language),
        net: sum(ofRate.map(({ net }) => net)),
        amount: sum(ofRate.map(({ tax }) => tax)),
      })),
    total: totals.total,
  }
}

/** An order that was placed: it keeps the titles and terms of that time. */
export function summaryOfOrder(order: OrderState, shown: Shown, language: string): Summary {
  const [code] = order.discount_codes
  const [shipping] = order.shipping_lines
  return {
    count: sum(order.lines.map(({ quantity }) => quantity)),
    currency: order.currency,
    lines: order.lines.map((line) => ({
      ...shownAs(line, shown),
      title: titleOfSold(line.title, shown.get(line.product_id)),
      terms: line.license_title ?? '',
      quantity: line.quantity,
      is_rental: line.rental,
      keeps_rental: line.credit_cents > 0,
      credit: line.credit_cents,
      total: line.list_cents,
    })),
    subtotal: order.line_items_cents,
    discount: code === undefined ? undefined : { code: code.code, amount: order.discount_cents },
    shipping: shipping === undefined ? undefined : { title: shipping.title, price: shipping.price, days: undefined },
    net: order.net_cents,
    is_reverse_charge: order.reverse_charge,
    taxes: taxesOf(order).map(({ rate, cents }) => ({
      rate: percent(rate, language),
      net: sum(order.tax_lines.filter((line) => line.rate === rate).map(({ price }) => price)),
      amount: cents,
    })),
    total: order.total_cents,
  }
}

function shownAs({ product_id, title }: { product_id: string; title: string }, shown: Shown) {
  const part = shown.get(product_id)
  return { title: part?.title ?? title, url: part?.url, picture: part?.picture, art: part?.art ?? 'goods' }
}
