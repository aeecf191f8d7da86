import { smallestCents } from '#currency-rates/currencies.ts'
import { chooseLocale } from '#locales/rules.ts'
import { partOfCents } from '#platform/money.ts'
import type { DraftedOrder } from '../pricing.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import { netOf } from '../totals.ts'

export type LineOptions = { language: string; takeId: () => number; newCode: (() => string) | undefined }

/** The lines of a new order: what is kept of products and licenses is as it is now, whatever becomes of them. */
export function newLines(order: OrderState, drafted: DraftedOrder, options: LineOptions): OrderLineState[] {
  return drafted.lines.map(({ product, binding, kind, hd, quantity, isPreOrder }, position) => {
    const amounts = drafted.totals.lines[position]!
    const rate = drafted.rates[position]!
    const { license } = binding
    const license_title =
      license === null ? null : chooseLocale(license.locales, options.language)?.name || license.name
    return {
      company_id: order.company_id,
      id: options.takeId(),
      order_id: order.id,
      position,
      product_key: product.id,
      product_id: product.product_id,
      product_type: product.product_type,
      license_id: binding.license_id,
      license_title,
      hd,
      title: product.title,
      name: license_title === null ? product.title : `${product.title} - ${license_title}`,
      version: product.version,
      sku: product.gtin || product.product_id,
      gtin: product.gtin ?? '',
      quantity,
      grams: product.weight ?? 0,
      kind,
      price_cents: amounts.price,
      list_cents: amounts.list,
      discount_cents: amounts.discount,
      net_cents: amounts.net,
      tax_cents: amounts.tax,
      tax_rate: rate,
      product_exists: !isPreOrder,
      code: kind === 'digital' && options.newCode !== undefined ? options.newCode() : null,
      owner_id: product.share?.owner_id ?? null,
      original_key: product.share?.original_key ?? null,
      share_percent: product.share?.percent ?? null,
      // Of the original price: without tax, and before what the seller takes off.
      share_cents: shareOf(netOf(amounts.list, rate), product.share?.percent ?? 0, order.currency),
      stock_taken: 0,
      refunded_quantity: 0,
      refunded_cents: 0,
    }
  })
}

/** How many goods go back into their stock if so many of a line are given back: at most as many as were taken. */
export function goodsBack({ stock_taken }: Pick<OrderLineState, 'stock_taken'>, quantity: number): number {
  return Math.min(quantity, stock_taken)
}

/** Percent have two decimals. */
function shareOf(cents: number, percent: number, currency: string): number {
  const step = smallestCents(currency)
  return partOfCents(cents, Math.round(percent * 100), 10_000 * step) * step
}
