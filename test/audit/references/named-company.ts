import assert from 'node:assert/strict'
import { ownerPage } from '../../admin.ts'
import { aCustomer } from '../../customers.ts'
import { aCategory, aLicense, aPrice, aProduct, aThemeSetting, BUY, everything, type Wire } from '../../factories.ts'
import type { Service, Shop } from '../../harness.ts'
import { aFilm, anOrder } from '../../orders.ts'
import { aTerm } from '../../terms.ts'
import { fill, type Things } from '../things.ts'

const VIDEO = 1
const VARIATION = 21

/** A company with one of everything, each with all of its parts, and named after it. */
export type NamedCompany = {
  shop: Shop
  name: string
  things: Things
  /** What the API shows of each, by the wrapper of its bodies. */
  documents: Record<string, Wire>
  /** Software with a list of keys, which the thing that is sold elsewhere is not. */
  program: Things['product'] & { keys: string[] }
  variation: Wire
  /** What somebody has bought, under the license of the company. */
  sold: Wire
  parent: { id: number }
  clientId: string
  /** Two codes: one to use, one to name another after. */
  discountCodes: [string, string]
  redemptionCode: string
}

async function aThingWithParts(service: Service, shop: Shop, name: string) {
  const category = await aCategory(shop, {
    title: name,
    locales: [{ language: 'en', title: name, src: 'https://example.com/category.png' }],
  })
  const price = await aPrice(service, shop, { title: name })
  const film = {
    ...everything(VIDEO, [category.id], price.id, 'https://example.com/cover.png'),
    title: name,
    locales: [{ language_id: 'en', title: name, src: 'https://example.com/cover.png' }],
  }
  return { category, price, product: await aProduct(shop, film) }
}

/** Opens a company whose things are all called `name`. */
export async function aNamedCompany(service: Service, name: string): Promise<NamedCompany> {
  const shop = await service.openShop()
  const page = await ownerPage(service, shop)
  const renamed = await page.put('/company.json', { company: { company_name: name } })
  assert.equal(renamed.status, 200, renamed.text)
  const filled = await fill(service, shop)
  const { category, price, product } = await aThingWithParts(service, shop, name)
  const license = await aLicense(service, shop, {
    name,
    locales: [{ language_id: 2, name }],
    restriction_country: [{ country_id: 'DE' }],
    restriction_dvd_region: [{ dvd_region: 2 }],
  })
  const customer = await aCustomer(shop, {
    first_name: name,
    addresses: [
      { city: name, country: 'DE' },
      { city: name, country: 'DE' },
    ],
  })
  const terms = [{ license_id: license.id, price_id: price.id }]
  const sold = await aFilm(service, shop, 1190, { title: name, price_license_binding: terms })
  const order = await anOrder(shop, customer, [{ product_id: sold.product_id, quantity: 9 }])
  const price_license_binding = [{ license_id: BUY, price_id: price.id }]
  const included_products = [{ product_id: sold.product_id }]
  const chosen = { product_type: VARIATION, title: name, published: true, included_products, price_license_binding }
  const variation = await aProduct(shop, chosen)
  const host = `${name.toLowerCase()}.example.com`
  const themeSetting = await aThemeSetting(shop, {
    shop_domain: host,
    vanity_domain: name.toLowerCase(),
    locales: [{ language_id: 'en', shop_name: name }],
  })
  const discountCodes: [string, string] = [`${name}10`, `${name}20`]
  for (const code of discountCodes) await aTerm(shop, 'discount_code', { code, type: 'percentage', amount: 10 })
  const keys = [`${name}-KEY-1`]
  assert.equal((await shop.post(`/api/products/${filled.product.id}/keys.json`, { keys })).status, 201)
  const read = async (path: string) => {
    const answer = await page.get(path)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const { content } = await read(`/customers/${filled.customer.token}/content.json`)
  const entitlement = content.find(({ product_id }: Wire) => product_id === filled.product.product_id)
  const things = { ...filled, entitlement, category, price, product, license, customer, order, themeSetting }
  return {
    shop,
    name,
    things,
    documents: {
      ...(await read(`/products/${product.id}.json`)),
      ...(await read(`/categories/${category.id}.json`)),
      ...(await read(`/licenses/${license.id}.json`)),
      ...(await read(`/themesettings/${themeSetting.id}.json`)),
      ...(await read(`/customers/${customer.token}.json`)),
      ...(await read(`/orders/${order.id}.json`)),
    },
    program: { ...filled.product, keys },
    variation,
    sold,
    parent: await aCategory(shop, { title: name }),
    clientId: (await read(`/apps/${shop.appId}.json`)).app.client_id,
    discountCodes,
    redemptionCode: (await read(`/redemption_codes/${filled.redemptionCode.id}.json`)).redemption_code.code,
  }
}
