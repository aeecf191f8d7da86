import type { PageView } from '#insight/visits/state.ts'
import { aLicense, aPrice, aProduct, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'

/** The record of a day without anything. */
export const NOTHING = {
  digital_count: 0,
  digital_amount: 0,
  international_count: 0,
  international_amount: 0,
  item_count: 0,
  national_count: 0,
  national_amount: 0,
  order_count: 0,
  order_amount: 0,
  permanent_license_count: 0,
  permanent_license_amount: 0,
  physical_count: 0,
  physical_amount: 0,
  rental_license_count: 0,
  rental_license_amount: 0,
}
export const NO_DEVICES = { fire_os: 0, chrome_os: 0, ios: 0, android: 0, windows: 0, os_x: 0, linux: 0, unknown: 0 }

/** A page of a shop that somebody looked at. */
export const aView = ({ companyId }: Shop, at: Date, given: Partial<PageView> = {}): PageView => ({
  companyId,
  shopId: 1,
  at,
  address: '192.0.2.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  path: '/',
  campaign: '',
  referrerHost: '',
  country: '',
  language: 'en',
  ...given,
})

/** A film that is rented for two days after it was first played. */
export async function aRental(service: Service, shop: Shop, cents: number): Promise<Wire> {
  const license = await aLicense(service, shop, { expire_after_first_use: 48 })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return aProduct(shop, { published: true, price_license_binding: [{ license_id: license.id, price_id: price.id }] })
}

export async function aCup(service: Service, shop: Shop, cents: number): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return aProduct(shop, {
    product_type: 6,
    title: 'Cup',
    published: true,
    price_license_binding: [{ price_id: price.id }],
  })
}
