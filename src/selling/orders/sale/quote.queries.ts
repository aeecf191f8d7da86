import { readRates } from '#catalog/currency-rates/queries.ts'
import type { Rates } from '#catalog/currency-rates/rules.ts'
import type { ForSale } from '#catalog/products/sale/state.ts'
import type { RelationState } from '#people/customers/state.ts'
import type { Db } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { chooseMethod, methodsFor } from '#selling/shipping-methods/rules.ts'
import { noRate } from '../errors.ts'
import type { OrderInput } from '../schema.ts'
import type { Channel, SaleContext } from '../state.ts'
import { readQuoteContext } from './context.queries.ts'
import { readRentals } from './credits.queries.ts'
import { type Credit, type Keeps, NO_RENTALS } from './credits.rules.ts'
import { type Draft, draftOrder, gramsIn, withCredit } from './draft.rules.ts'
import { NO_RATES, type Pricing, priceOrder } from './pricing.rules.ts'
import { sum } from './totals.rules.ts'

/** What an order would contain and cost if it were placed now. */
export type Quote = { draft: Draft; pricing: Pricing; shippingOffers: ShippingOffer[] }

/** A way to ship the goods of an order, and what it costs in cents. */
export type ShippingOffer = { title: string; price: number }

/** What may be asked about beside products of the catalog: the rentals that are bought for good, and a period of a plan. */
type QuoteTerms = {
  keeps?: Keeps | undefined
  plan?: { product: ForSale; credit?: Credit | undefined } | undefined
  channel?: Pick<Channel, 'source_name'>
}

const WEBSHOP = { source_name: 'webshop' } as const

/**
 * Prices an order by the rules of a sale, and refuses what a sale would refuse, except for stock. Nothing is written, so a
 * page can ask each time it is shown.
 */
export async function quoteOrder(
  db: Db,
  companyId: number,
  input: OrderInput,
  own: RelationState,
  now: Date,
  { keeps, plan, channel = WEBSHOP }: QuoteTerms = {},
): Promise<Quote> {
  const [read, rentals] = await Promise.all([
    readQuoteContext(db, companyId, input, now),
    keeps === undefined ? NO_RENTALS : readRentals(db, keeps),
  ])
  const products = plan === undefined ? read.products : new Map([[plan.product.product_id, plan.product]])
  const context = { ...read, rentals, products }
  const draft = withCredit(draftOrder(input, context, own, channel, now), plan?.credit)
  let rates = NO_RATES
  let pricing = priceOrder(draft, rates)
  if (pricing === undefined) {
    rates = await readRates(db)
    pricing = priceOrder(draft, rates)
  }
  if (pricing === undefined) throw validationFailed('currency', noRate())
  return { draft, pricing, shippingOffers: offersFor(draft, context, rates) }
}

/** What each way to ship the goods costs. Of several with the same title, an order gets the first one. */
function offersFor(draft: Draft, { methods, seller }: SaleContext, rates: Rates): ShippingOffer[] {
  if (draft.method === undefined) return []
  const parcel = { country: draft.sale.destination || seller.country_code, grams: gramsIn(draft.lines) }
  return methodsFor(methods, parcel).flatMap((method) => {
    const charges = priceOrder({ ...draft, method }, rates)?.totals.shipping ?? []
    const isFirst = chooseMethod(methods, method.title, parcel)?.id === method.id
    return charges.length === 0 || !isFirst ? [] : { title: method.title, price: sum(charges.map(({ list }) => list)) }
  })
}
