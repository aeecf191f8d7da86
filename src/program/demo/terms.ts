import type { PriceInput } from '#catalog/prices/schema.ts'
import type { ProductInput } from '#catalog/products/schema.ts'

type Binding = NonNullable<ProductInput['price_license_binding']>[number]

/** Cents in euros, dollars, pounds and Swiss francs. */
function price(title: string, eur: number, usd: number, gbp: number, swiss: number): PriceInput & { title: string } {
  return {
    title,
    currencies: [
      { currency: 'eur', price: eur },
      { currency: 'usd', price: usd },
      { currency: 'gbp', price: gbp },
    ],
    countries: [{ country_code: 'CH', price: swiss }],
  }
}

/** The price models of a demo shop. */
export const PRICES = [
  price('Film, sale', 1499, 1599, 1299, 1690),
  price('Film, former price', 1999, 2199, 1799, 2290),
  price('Film, rental', 399, 449, 349, 490),
  price('Music', 999, 1099, 899, 1190),
  price('Book', 1299, 1399, 1099, 1490),
  price('Book with printing', 1699, 1799, 1499, 1890),
  price('Software', 4900, 5200, 4200, 5500),
  price('Software, three devices', 9900, 10_500, 8500, 10_900),
  price('Course', 7900, 8500, 6900, 8900),
  price('Goods', 2490, 2690, 2190, 2790),
  price('Film, sale, low', 999, 1099, 899, 1190),
  price('Film, rental, low', 299, 329, 249, 390),
  price('Music, low', 699, 749, 599, 790),
  price('Book, low', 799, 849, 699, 890),
  price('Book with printing, low', 1099, 1199, 949, 1290),
  price('Course, low', 3900, 4200, 3400, 4400),
  price('Goods, low', 1800, 1950, 1550, 1990),
  price('Goods, print', 3900, 4200, 3400, 4400),
  price('Goods, blanket', 12_900, 13_900, 11_500, 13_900),
  price('Service', 6500, 6900, 5500, 7200),
  price('Club, month', 790, 890, 690, 990),
  price('Club, year', 7900, 8900, 6900, 9900),
]

/** Some of the general licenses of the service, by what they allow. */
const LICENSE = {
  buy: 1,
  rentOneDay: 2,
  rentTwoDays: 3,
  thirtyDays: 4,
  downloadToOwn: 6,
  book: 7,
  bookWithPrinting: 8,
  softwareOneDevice: 9,
  softwareThreeDevices: 10,
}

/** Members of the club play on five devices at a time. */
export const CLUB_LICENSE = LICENSE.buy

type Offer = { license?: keyof typeof LICENSE; price: string; compare?: string; extra?: Partial<Binding> }

/** The licenses and prices for a product of each type. Goods and services need no license. */
const OFFERS: Record<number, Offer[]> = {
  9: [
    { license: 'buy', price: 'Film, sale', compare: 'Film, former price', extra: { hd: true } },
    { license: 'rentTwoDays', price: 'Film, rental', extra: { hd: false } },
  ],
  1: [
    { license: 'buy', price: 'Film, sale', extra: { hd: false } },
    { license: 'rentOneDay', price: 'Film, rental', extra: { hd: false } },
  ],
  16: [
    { license: 'book', price: 'Book' },
    { license: 'bookWithPrinting', price: 'Book with printing' },
  ],
  5: [{ license: 'downloadToOwn', price: 'Music' }],
  24: [{ license: 'downloadToOwn', price: 'Music' }],
  4: [
    { license: 'softwareOneDevice', price: 'Software', extra: { num_users: 1 } },
    { license: 'softwareThreeDevices', price: 'Software, three devices', extra: { num_users: 3 } },
  ],
  6: [{ price: 'Goods' }],
  7: [{ license: 'thirtyDays', price: 'Course' }],
  17: [{ price: 'Service' }],
}

/**
 * The bindings of a product, with the ids of the price models in this shop. `level` names the price models to take, where there
 * are such. A low price has no former one.
 */
export function bindingsOf(type: number, priceIds: ReadonlyMap<string, number>, level = ''): Binding[] {
  return (OFFERS[type] ?? []).map(({ license, price, compare, extra }) => {
    const other = priceIds.get(`${price}, ${level}`)
    return {
      license_id: license === undefined ? null : LICENSE[license],
      price_id: other ?? priceIds.get(price) ?? null,
      ...(compare === undefined || other !== undefined ? {} : { compare_price_id: priceIds.get(compare) ?? null }),
      ...extra,
    }
  })
}
