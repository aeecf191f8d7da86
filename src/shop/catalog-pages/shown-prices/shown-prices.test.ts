import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withContent } from '#test/content.ts'
import { CUSTOMER_PASSWORD } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder, aShippingMethod, setCompany, someGoods } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { aTerm, changeTerm, deleteTerm } from '#test/terms.ts'

const service = useService()
const pages = useShopPages(service)

async function storefront() {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  /** A page as a visitor sees it whose browser speaks the language of a country. */
  const ask = (path = '/', language = 'en-DE'): Promise<Answer> =>
    service.call('GET', `/shop/${id}${path}`, { headers: { accept: 'text/html', 'accept-language': language } })
  return { shop, ask }
}

/** A film or another product under a license whose prices do not contain the tax. */
async function aNetProduct(shop: Shop, attributes: object = {}): Promise<Wire> {
  const license = await aLicense(service, shop, { tax_handling: 1 })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1000 }] })
  const former = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 2000 }] })
  const product = await aProduct(shop, {
    title: 'The Last Ferry',
    published: true,
    price_license_binding: [{ license_id: license.id, price_id: price.id, compare_price_id: former.id }],
    ...attributes,
  })
  return withContent(service, shop, product)
}

const page = ({ id }: Wire) => `/products/${id}`

describe('a price without tax', () => {
  test('is shown with the tax of the country of the visitor, as the order charges it', async () => {
    const { shop, ask } = await storefront()
    const film = await aNetProduct(shop)
    const book = await aNetProduct(shop, { product_type: 16, title: 'Novel' })
    for (const [language, country, filmPrice, bookPrice] of [
      ['en-DE', 'DE', '€11.90', '€10.70'],
      ['en-AT', 'AT', '€12.00', '€11.00'],
      ['en-FR', 'FR', '€12.00', '€10.55'],
      ['en-US', 'US', '€10.00', '€10.00'],
    ] as const) {
      for (const [product, shown] of [
        [film, filmPrice],
        [book, bookPrice],
      ] as const) {
        const { text } = await ask(page(product), language)
        assert.ok(text.includes(`Buy for ${shown}`), `${product.title} in ${country}: ${shown}`)
        assert.ok(text.includes('Prices include tax.'))
        const { total_price } = await anOrder(shop, await aBuyer(shop, country), [product])
        assert.equal(`€${(total_price / 100).toFixed(2)}`, shown)
      }
      const { text: home } = await ask('/', language)
      assert.ok(home.includes(filmPrice) && home.includes(bookPrice), `the list in ${country}`)
    }
    const { text } = await ask(page(film))
    assert.ok(text.includes('€23.80'), 'the former price has the tax, too')
  })

  test('follows a rate of the company at once, although pages are kept', async () => {
    const { shop, ask } = await storefront()
    const film = await aNetProduct(shop)
    assert.ok((await ask(page(film))).text.includes('€11.90'))
    const rate = await aTerm(shop, 'tax_rate', { country_code: 'DE', percent: 7 })
    assert.ok((await ask(page(film))).text.includes('€10.70'))
    await changeTerm(shop, 'tax_rate', rate.id, { percent: 50 })
    assert.ok((await ask(page(film))).text.includes('€15.00'))
    await deleteTerm(shop, 'tax_rate', rate.id)
    assert.ok((await ask(page(film))).text.includes('€11.90'))
  })

  test('has the tax of the address of a customer who is signed in, unless another country is chosen', async () => {
    const film = await aNetProduct(pages.shop)
    const french = await aBuyer(pages.shop, 'FR', {
      password: CUSTOMER_PASSWORD,
      password_confirmation: CUSTOMER_PASSWORD,
    })
    const visitor = await pages.signIn(french.email)
    const shown = async () => (await visitor.get(`${pages.base}${page(film)}`)).text
    assert.ok((await shown()).includes('€12.00'))
    await visitor.post(`${pages.base}/preferences`, { country: 'DE', return_to: '/' })
    assert.ok((await shown()).includes('€11.90'))
  })

  test('stays without tax in a shop for businesses, which says what is paid in the end', async () => {
    const { shop, ask } = await storefront()
    const film = await aNetProduct(shop)
    await setCompany(service, shop, { tax_options: 2 })
    const { text } = await ask(page(film))
    assert.ok(text.includes('Buy for €10.00') && text.includes('€11.90 with tax'), text)
    assert.ok(text.includes('Prices do not include tax.'))
    assert.ok((await ask('/')).text.includes('€10.00'))
  })
})

describe('the page of goods', () => {
  test('says what shipping costs and how long it takes', async () => {
    const { shop, ask } = await storefront()
    const mug = await someGoods(service, shop)
    const silent = (await ask(page(mug))).text
    assert.ok(!/shipping|Shipping is|Delivered/.test(silent), 'a company without methods says nothing')
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 490 }] })
    const parcel = await aTerm(shop, 'shipping_method', {
      title: 'Parcel',
      price_id: price.id,
      countries: ['DE'],
      delivery_days_min: 2,
      delivery_days_max: 4,
    })
    assert.deepEqual([parcel.delivery_days_min, parcel.delivery_days_max], [2, 4])
    assert.ok((await ask(page(mug))).text.includes('Plus €4.90 for shipping. Delivered in 2 to 4 days.'))
    assert.ok((await ask(page(mug), 'en-FR')).text.includes('Not shipped to your country.'))
    await changeTerm(shop, 'shipping_method', parcel.id, { free_from: 5000 })
    assert.ok((await ask(page(mug))).text.includes('Plus €4.90 for shipping. Free from €50.00.'))
    await changeTerm(shop, 'shipping_method', parcel.id, { price_id: null, delivery_days_min: null, countries: [] })
    assert.ok((await ask(page(mug), 'en-FR')).text.includes('Shipping is free. Delivered in 4 days.'))
  })

  test('says nothing of shipping where nothing is sent', async () => {
    const { shop, ask } = await storefront()
    await aShippingMethod(service, shop, {})
    assert.ok(!(await ask(page(await aNetProduct(shop)))).text.includes('Shipping is free.'))
  })
})

describe('the days of a shipping method', () => {
  test('are refused if they are not days, or the wrong way round', async () => {
    const { shop } = await storefront()
    for (const [days, field] of [
      [{ delivery_days_min: 5, delivery_days_max: 2 }, 'delivery_days_max'],
      [{ delivery_days_min: -1 }, 'delivery_days_min'],
      [{ delivery_days_max: 366 }, 'delivery_days_max'],
      [{ delivery_days_max: 1.5 }, 'delivery_days_max'],
      [{ delivery_days_min: 'soon' }, 'delivery_days_min'],
    ] as const) {
      const answer = await shop.post('/api/shipping_methods.json', { shipping_method: { title: 'Parcel', ...days } })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], JSON.stringify(days))
    }
  })
})
