import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCustomer } from '#test/customers.ts'
import { aPrice, aProduct, BUY, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, order, readOrder, someGoods } from '#test/orders.ts'

const service = useService()

describe('an order', () => {
  test('shows every field of the interface', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, { title: 'The Long Way Home' })
    const mug = await someGoods(service, shop)
    const customer = await aBuyer(shop)
    const answer = await order(shop, {
      order_number: 'WC-1042',
      po_number: 'PO 7',
      customer: { token: customer.token },
      line_items: [
        { product_id: film.product_id, license_id: BUY, quantity: 1 },
        { product_id: mug.product_id, quantity: 2 },
      ],
      buyer_accepts_marketing: true,
      browser_ip: '192.0.2.7',
      device_id: 'D1',
      landing_site: 'https://shop.example.com/?ref=x',
      landing_site_ref: 'x',
      referring_site: 'https://search.example.com',
      location_id: '12',
      source: 'till',
      source_identifier: '77',
    })
    assert.equal(answer.status, 201, answer.text)
    const { id, line_items, checkout_token, created_at, customer: shown, shipping_address, ...rest } = answer.body.order
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    assert.match(checkout_token, /^[\w-]{20,}$/)
    assert.deepEqual(rest, {
      name: `#${id}`,
      email: customer.email,
      customer_token: customer.token,
      order_number: 'WC-1042',
      po_number: 'PO 7',
      updated_at: created_at,
      closed_at: null,
      processed_at: created_at,
      cancelled_at: null,
      confirmed: true,
      test: false,
      currency: 'EUR',
      gateway: 'Manual',
      payment_gateway_names: ['Manual'],
      financial_status: 'paid',
      fulfillment_status: 'partial',
      source_name: 'api',
      source: 'till',
      source_identifier: '77',
      browser_ip: '192.0.2.7',
      buyer_accepts_marketing: true,
      checkout_id: id,
      device_id: 'D1',
      landing_site: 'https://shop.example.com/?ref=x',
      landing_site_ref: 'x',
      referring_site: 'https://search.example.com',
      location_id: '12',
      theme_setting_id: (await shop.get('/api/themesettings.json')).body.ThemeSettings[0].id,
      taxes_included: true,
      subtotal_price: 5000,
      total_discounts: 0,
      total_line_items_price: 5950,
      total_price: 5950,
      total_tax: 950,
      total_weight: 700,
      tax_lines: [{ price: 5000, rate: 0.19 }],
      discount_codes: [],
      shipping_lines: [],
      fulfillments: [],
      refunds: [],
    })
    const [digital, physical] = line_items
    assert.deepEqual(
      { ...digital, id: 0 },
      {
        id: 0,
        product_id: film.product_id,
        license_id: BUY,
        license_title: 'Buy',
        hd: false,
        title: 'The Long Way Home',
        name: 'The Long Way Home - Buy',
        quantity: 1,
        grams: 0,
        sku: film.product_id,
        price: 1000,
        total_discount: 0,
        tax_lines: [{ price: 1000, rate: 0.19 }],
        taxable: true,
        requires_shipping: false,
        gift_card: false,
        product_exists: true,
        code: null,
      },
    )
    assert.deepEqual(
      { ...physical, id: 0 },
      {
        id: 0,
        product_id: mug.product_id,
        license_id: null,
        license_title: null,
        hd: false,
        title: 'Mug',
        name: 'Mug',
        quantity: 2,
        grams: 350,
        sku: '4006381333931',
        price: 2000,
        total_discount: 0,
        tax_lines: [{ price: 4000, rate: 0.19 }],
        taxable: true,
        requires_shipping: true,
        gift_card: false,
        product_exists: true,
        code: null,
      },
    )
    const { default: _default, ...home } = customer.default_address
    assert.deepEqual(shipping_address, { ...home, default: false })
    assert.deepEqual(shown, await readCustomer(shop, customer.token))
    assert.deepEqual(
      [shown.orders_count, shown.total_spent, shown.last_order_id, shown.last_order_name],
      [1, 5950, id, `#${id}`],
    )
    assert.deepEqual(await readOrder(shop, id), answer.body.order)
  })

  test('emits one event', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { id } = await anOrder(shop, await aBuyer(shop), [film])
    const events = await service.db
      .selectFrom('events')
      .select(['topic', 'data'])
      .where('company_id', '=', shop.companyId)
      .where('topic', 'like', 'order/%')
      .execute()
    assert.deepEqual(events, [{ topic: 'order/create', data: { type: 'order', id: String(id) } }])
  })

  test('returns only the requested fields', async () => {
    const shop = await service.openShop()
    const { id } = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop)])
    const answer = await shop.get(`/api/orders/${id}.json?fields=id,total_price,customer,unknown`)
    assert.deepEqual(Object.keys(answer.body.order).sort(), ['customer', 'id', 'total_price'])
  })

  test('makes digital goods and services fulfilled at once, and goods when they are shipped', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const service17 = await aFilm(service, shop, 5000, { product_type: 17, title: 'Repair' })
    const mug = await someGoods(service, shop)
    const status = async (lines: Wire[]) => (await anOrder(shop, customer, lines)).fulfillment_status
    assert.deepEqual(
      [await status([film]), await status([film, service17]), await status([mug]), await status([film, mug])],
      ['fulfilled', 'fulfilled', null, 'partial'],
    )
  })

  test('of a film that is not out yet says so, if it is sold before', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const soon = { published_at: '2099-01-01' }
    const early = await aFilm(service, shop, 1190, { ...soon, pre_sales: true })
    const late = await aFilm(service, shop, 1190, soon)
    assert.equal((await anOrder(shop, customer, [early])).line_items[0].product_exists, false)
    const refused = await order(shop, { customer_token: customer.token, line_items: [{ product_id: late.product_id }] })
    assert.deepEqual(refused.body.errors, { 'line_items[0].product_id': ['is not released yet'] })
  })

  test('returns redemption codes if they are requested', async () => {
    const shop = await service.openShop()
    const [film, mug] = [await aFilm(service, shop), await someGoods(service, shop)]
    const { line_items } = await anOrder(shop, await aBuyer(shop), [film, film, mug], { generate_codes: true })
    assert.match(line_items[0].code, /^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/)
    assert.notEqual(line_items[0].code, line_items[1].code)
    assert.equal(line_items[2].code, null, 'goods are not redeemed')
  })

  test('that is a test counts for nothing', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const mug = await someGoods(service, shop, 3)
    const made = await anOrder(shop, customer, [mug], { test: true })
    assert.equal(made.test, true)
    const { orders_count, total_spent, last_order_id } = await readCustomer(shop, customer.token)
    assert.deepEqual([orders_count, total_spent, last_order_id], [0, 0, 0])
    assert.equal((await shop.get(`/api/products/${mug.id}.json`)).body.product.items_in_stock, 3)
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 1)
  })

  test('names the shop in which it was made', async () => {
    const shop = await service.openShop()
    const second = (await shop.post('/api/themesettings.json', { ThemeSetting: {} })).body.ThemeSetting
    const film = await aFilm(service, shop)
    const made = await anOrder(shop, await aBuyer(shop), [film], { theme_setting_id: second.id })
    assert.equal(made.theme_setting_id, second.id)
  })

  test('outlives its product and its customer', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const made = await anOrder(shop, customer, [film])
    assert.equal((await shop.delete(`/api/products/${film.id}.json`)).status, 200)
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    const { customer: kept, ...after } = await readOrder(shop, made.id)
    const { customer: _before, ...before } = made
    assert.deepEqual(after, before)
    assert.deepEqual(
      [kept.email, kept.first_name, kept.state, kept.orders_count, kept.default_address.city],
      [customer.email, 'Jane', 'disabled', 0, 'Town'],
    )
    assert.deepEqual((await shop.get('/api/orders.json')).body.orders, [{ ...after, customer: kept }])
  })
})

describe('the license of a line', () => {
  test('may be left out if there is one, and the resolution decides between several', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const [sd, hd] = [
      await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1000 }] }),
      await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 2000 }] }),
    ]
    const film = await aProduct(shop, {
      published: true,
      product_type: 9,
      price_license_binding: [
        { license_id: BUY, price_id: sd.id, hd: false },
        { license_id: BUY, price_id: hd.id, hd: true },
      ],
    })
    const bought = async (line: object) => {
      const answer = await order(shop, {
        customer_token: customer.token,
        line_items: [{ product_id: film.product_id, ...line }],
      })
      assert.equal(answer.status, 201, answer.text)
      return [answer.body.order.total_price, answer.body.order.line_items[0].hd]
    }
    assert.deepEqual(await bought({}), [1000, false])
    assert.deepEqual(await bought({ license_id: BUY, hd: true }), [2000, true])
    assert.deepEqual(await bought({ license_id: '1', hd: 'true', quantity: '1' }), [2000, true])
    assert.deepEqual(await bought({ license_id: 0, hd: false }), [1000, false])
    assert.deepEqual(await bought({ license_id: null }), [1000, false])
  })

  test('is called by its name in the language of the customer', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const made = await anOrder(shop, await aBuyer(shop, 'DE', { language: 'de' }), [film])
    assert.notEqual(made.line_items[0].license_title, 'Buy')
  })
})
