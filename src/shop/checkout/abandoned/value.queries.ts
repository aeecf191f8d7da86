import { getSeller } from '#identity/companies/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { zip } from '#platform/wire/zip.ts'
import type { Quote } from '#selling/orders/sale/quote.queries.ts'
import { sum } from '#selling/orders/sale/totals.rules.ts'
import { isInternational, isRental, NO_SALES, recordOf, type SaleRecord } from '#selling/orders/statistics/rules.ts'
import { quoteCart } from '../quotes.queries.ts'
import type { LeftCart } from './state.ts'

type PricedLines = { draft: Pick<Quote['draft'], 'lines' | 'sale'>; pricing: Quote['pricing'] }

/**
 * What an abandoned cart adds to the counts: what it would cost now, in the country and currency in which it was filled. Lines
 * that are not for sale any more are left out, and a cart without any others adds nothing.
 */
export async function valueCart(db: Db, cart: LeftCart, now: Date): Promise<SaleRecord> {
  const { company_id, theme_setting_id: shopId, details } = cart
  const currency = cart.currency || (await getSeller(db, company_id)).currency
  const place = { shopId, currency, country: details.country || cart.country }
  const { quote } = await quoteCart(db, company_id, cart, place, now)
  return quote === undefined ? NO_SALES : recordOfQuote(quote)
}

/** What a cart with these lines and prices adds to the counts. */
export function recordOfQuote({ draft, pricing }: PricedLines): SaleRecord {
  const { totals } = pricing
  return recordOf({
    isInternational: isInternational(draft.sale.country, draft.sale.seller.country_code),
    homeCents: pricing.homeCents ?? 0,
    shippingCents: sum(totals.shipping.map(({ net, tax }) => net + tax)),
    lines: zip(draft.lines, totals.lines).map(([{ kind, quantity, binding }, { net, tax }]) => ({
      kind,
      quantity,
      rental: isRental(binding.license),
      cents: net + tax,
    })),
  })
}
