import type { Db } from '#platform/db/database.ts'
import { orderName } from '#selling/orders/rules.ts'
import type { ChosenLine } from '#selling/orders/sale/pricing.rules.ts'
import type { ShippingOffer } from '#selling/orders/sale/quote.queries.ts'
import { consentText } from '#selling/orders/withdrawals/consent.rules.ts'
import { readParts } from '#shop/catalog-pages/parts.queries.ts'
import { nameOfCountry } from '#shop/site/countries.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { findPlacedOrder } from './queries.ts'
import { quoteCart } from './quotes.queries.ts'
import { countryOf, rentalOwnerOf, stateOf } from './rules.ts'
import type { Contents } from './state.ts'
import { type Shown, type Summary, type SummaryLine, summaryOfOrder, summaryOfQuote } from './summary.present.ts'

/** The products of some lines as pages show them. */
export function readShown(db: Db, visit: ShopVisit, productIds: readonly string[]): Promise<Shown> {
  return readParts(db, visit.shop.company_id, productIds, visit)
}

export type PricedCart = {
  summary: Summary | undefined
  shown: Shown
  refused: ReadonlySet<number>
  isCodeRefused: boolean
  obstacle: 'place' | 'size' | undefined
  hasGoods: boolean
  hasContent: boolean
  kinds: readonly ChosenLine[]
  shippingOffers: readonly ShippingOffer[]
  country: string
  countryName: string
  /** What the customer agrees to if digital content shall start at once. */
  consentText: string
}

/** A cart with its prices for this visitor. */
export async function priceCart(db: Db, visit: ShopVisit, cart: Contents, now: Date): Promise<PricedCart> {
  const { shop, currency, languages, language } = visit
  const country = countryOf(cart, visit.country)
  const place = { shopId: shop.id, currency, country }
  const [{ quote, refused, isCodeRefused, obstacle }, shown] = await Promise.all([
    quoteCart(db, shop.company_id, cart, place, now, rentalOwnerOf(visit, cart.details.email)),
    readShown(
      db,
      visit,
      cart.lines.map(({ product_id }) => product_id),
    ),
  ])
  const kinds = quote?.draft.lines ?? []
  return {
    summary: quote && summaryOfQuote(quote, shown, languages),
    shown,
    refused,
    isCodeRefused,
    obstacle,
    kinds,
    country,
    shippingOffers: quote?.shippingOffers ?? [],
    hasGoods: kinds.some(({ kind }) => kind === 'physical'),
    hasContent: kinds.some(({ kind }) => kind === 'digital'),
    countryName: nameOfCountry(country, language),
    consentText: consentText(language),
  }
}

/** An order that a cart became, and that was never paid. */
export type UnpaidOrder = {
  /** The number of the order, such as `#1000`. */
  name: string
  /** The last part of the address of its page. */
  token: string
  summary: Summary
}

/** The order that the cart became, if it is not paid yet; its payment was declined or given up. */
export async function findUnpaid(db: Db, visit: ShopVisit, { details }: Contents): Promise<UnpaidOrder | undefined> {
  if (details.placed === '') return undefined
  const { shop, language } = visit
  const placed = await findPlacedOrder(db, shop.company_id, shop.id, details.placed)
  if (placed === undefined || stateOf(placed.order, placed.payment) !== 'unpaid') return undefined
  const { order, path } = placed
  const shown = await readShown(
    db,
    visit,
    order.lines.map(({ product_id }) => product_id),
  )
  return { name: orderName(order.id), token: path, summary: summaryOfOrder(order, shown, language) }
}

/** A line of a cart. */
export type ShownLine = Omit<SummaryLine, 'total'> & {
  /** The place of the line in the cart, for the form that changes it. */
  index: number
  /** In cents; nothing if it cannot be bought. */
  total: number | undefined
  /** Can it not be bought any more? */
  is_refused: boolean
}

/** The lines of a cart in its own order, with their prices; those that cannot be bought have none. */
export function cartLines(cart: Contents, { summary, shown, refused }: PricedCart): ShownLine[] {
  const priced = [...(summary?.lines ?? [])]
  return cart.lines.map((line, index) => {
    const part = shown.get(line.product_id)
    const isRefused = refused.has(index)
    const entry = isRefused ? undefined : priced.shift()
    return {
      index,
      title: entry?.title ?? part?.title ?? line.product_id,
      url: part?.url,
      picture: part?.picture,
      art: part?.art ?? 'goods',
      terms: entry?.terms ?? '',
      quantity: line.quantity,
      is_rental: entry?.is_rental ?? false,
      keeps_rental: line.keeps !== undefined,
      credit: entry?.credit ?? 0,
      total: entry?.total,
      is_refused: isRefused,
    }
  })
}
