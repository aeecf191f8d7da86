import { readRates } from '#catalog/currency-rates/queries.ts'
import type { Rates } from '#catalog/currency-rates/rules.ts'
import { readProductKeys } from '#catalog/products/queries.ts'
import { readForSale } from '#catalog/products/sale/queries.ts'
import type { ForSale } from '#catalog/products/sale/state.ts'
import { findShopId } from '#catalog/theme-settings/queries.ts'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { getSeller } from '#identity/companies/queries.ts'
import type { Seller } from '#identity/companies/state.ts'
import { readTimeZone } from '#identity/users/queries.ts'
import type { OwnCustomer } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { asKnown, countryOf } from '#selling/orders/buyers/rules.ts'
import { MANUAL, shippingAddress } from '#selling/orders/rules.ts'
import { chooseLines, gramsIn } from '#selling/orders/sale/draft.rules.ts'
import { newOrder } from '#selling/orders/sale/new-order.commands.ts'
import { type ChosenLine, priceOrder, type Sale } from '#selling/orders/sale/pricing.rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { readShippingMethods } from '#selling/shipping-methods/queries.ts'
import { chooseMethod } from '#selling/shipping-methods/rules.ts'
import type { PricedMethod } from '#selling/shipping-methods/state.ts'
import { readOwnRates } from '#selling/tax-rates/queries.ts'
import type { OwnRates } from '#selling/taxes/rules.ts'
import { COUNTRIES } from './customers.ts'
import type { Random } from './random.ts'

/** At most this many products sell, however many there are. */
const PRODUCTS_MAX = 2000
const LINES_MAX = 3
const REFERRERS = [null, null, 'https://search.example/', 'https://news.example/reviews', 'https://social.example/']

/** The products that a shop sells, by country. */
export type Catalog = {
  seller: Seller
  ownRates: OwnRates
  shopId: number
  utcOffset: number
  methods: PricedMethod[]
  rates: Rates
  /** By the country of the customer; countries without products are left out. */
  linesFor: ReadonlyMap<string, ChosenLine[]>
}

/** Reads the shop's own products with everything that an order needs. */
export async function readCatalog(db: Db, companyId: number, now: Date): Promise<Catalog> {
  const keys = await readProductKeys(db, companyId, 0, PRODUCTS_MAX)
  const [seller, ownRates, shopId, utcOffset, methods, rates, products] = await Promise.all([
    getSeller(db, companyId),
    readOwnRates(db, companyId),
    findShopId(db, companyId, 0),
    readTimeZone(db, companyId),
    readShippingMethods(db, companyId),
    readRates(db),
    readForSale(db, companyId, keys.map(String), now),
  ])
  // Sales of other companies' products would need ledger entries.
  const own = new Map([...products].filter(([, { share }]) => share === null))
  const catalog = { seller, ownRates, shopId: shopId ?? 0, utcOffset, methods, rates }
  const linesFor = COUNTRIES.map((country) => [country, linesOf(own, country, catalog, now)] as const)
  return { ...catalog, linesFor: new Map(linesFor.filter(([, lines]) => lines.length > 0)) }
}

/** Every line that can be sold to a country. Products on sale today count as always on sale. */
function linesOf(
  products: ReadonlyMap<string, ForSale>,
  country: string,
  { seller, ownRates, methods, rates }: Omit<Catalog, 'linesFor'>,
  now: Date,
): ChosenLine[] {
  const sale: Sale = { seller, country, destination: country, ownRates, currency: undefined, reverseCharge: false, now }
  const inputs = [...products].flatMap(([product_id, { bindings }]) =>
    bindings.map(({ license_id, hd }) => ({ product_id, license_id, ...(hd === null ? {} : { hd }) })),
  )
  return chooseLines(inputs, products, country, now, new FieldReport()).filter((line) => {
    const method =
      line.kind === 'physical' ? chooseMethod(methods, undefined, { country, grams: gramsIn([line]) }) : undefined
    if (line.kind === 'physical' && methods.length > 0 && method === undefined) return false
    return priceOrder({ lines: [line], codes: [], method, sale }, rates) !== undefined
  })
}

/** An order as the API would create it: the same rules work out its totals. */
export function makeSale(
  random: Random,
  { seller, ownRates, shopId, utcOffset, methods, rates, linesFor }: Catalog,
  customer: OwnCustomer,
  { id, takeId, now }: { id: number; takeId: () => number; now: Date },
): { order: OrderState; method: PricedMethod | undefined } {
  const known = asKnown(customer.own)
  const country = countryOf(known)
  const sold = linesFor.get(country) ?? []
  const chosen = new Set(Array.from({ length: 1 + random.below(LINES_MAX) }, () => random.pick(sold)))
  const lines = [...chosen].map((line) => ({
    ...line,
    quantity: line.kind === 'physical' && random.often(0.2) ? 2 : 1,
  }))
  const hasGoods = lines.some(({ kind }) => kind === 'physical')
  const address = shippingAddress(undefined, known, hasGoods, { takeId, findCountry }, new FieldReport())
  const method = hasGoods ? chooseMethod(methods, undefined, { country, grams: gramsIn(lines) }) : undefined
  const sale: Sale = { seller, country, destination: country, ownRates, currency: undefined, reverseCharge: false, now }
  const draft = { lines, codes: [], method, sale, known, address, shopId, vatId: '' }
  const pricing = priceOrder(draft, rates)
  if (pricing === undefined) throw new Error(`the chosen lines have no common price in ${country}`)
  const input = {
    line_items: [],
    buyer_accepts_marketing: random.often(0.3),
    browser_ip: `203.0.113.${random.below(256)}`,
    landing_site: random.often(0.5) ? '/' : '/products',
    referring_site: random.pick(REFERRERS),
  }
  const checkoutToken = randomToken(16)
  const identity = { id, account: customer.account, channel: MANUAL, checkoutToken, takeId }
  const order = newOrder(input, draft, pricing, { ...identity, utcOffset, newCode: undefined, now })
  // The current stock is the stock after these sales.
  const taken = order.lines.map((line, index) =>
    line.kind === 'physical' && lines[index]?.product.manage_stock ? { ...line, stock_taken: line.quantity } : line,
  )
  return { order: { ...order, lines: taken }, method }
}
