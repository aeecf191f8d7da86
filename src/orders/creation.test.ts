import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, BUY, RENT, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, order, readOrder, setCompany, someGoods } from '#test/orders.ts'

const service = useService()

/** All that an order could leave behind. */
async function traces(shop: Shop): Promise<unknown> {
  const count = async (path: string) => (await shop.get(path)).body
  const events = await service.db
    .selectFrom('events')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('company_id', '=', shop.companyId)
    .executeTakeFirst()
  return [
    await count('/api/orders.json'),
    await count('/api/orders/count.json'),
    await count('/api/customers.json'),
    await count('/api/products.json'),
    events,
    await service.db.selectFrom('order_lines').selectAll().where('company_id', '=', shop.companyId).execute(),
    await service.db.selectFrom('jobs').select('kind').where('company_id', '=', shop.companyId).execute(),
  ]
}

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

  test('tells of itself once', async () => {
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

  test('gives only the fields that are asked for', async () => {
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

  test('gives codes to redeem if they are asked for', async () => {
    const shop = await service.openShop()
    const [film, mug] = [await aFilm(service, shop), await someGoods(service, shop)]
    const { line_items } = await anOrder(shop, await aBuyer(shop), [film, film, mug], { generate_codes: true })
    assert.match(line_items[0].code, /^[A-Z]{4}(-[A-Z]{4}){3}$/)
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

describe('the customer of an order', () => {
  const buy = (shop: Shop, film: Wire, buyer: object, query = '') =>
    shop.post(`/api/orders.json${query}`, { order: { line_items: [{ product_id: film.product_id }], ...buyer } })

  test('is made with the first order', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const email = anEmail()
    const addresses = [{ address1: 'Main Street 1', city: 'Austin', zip: '73301', country: 'US', province: 'TX' }]
    const customer = { email, password: CUSTOMER_PASSWORD, password_confirmation: CUSTOMER_PASSWORD, addresses }
    const answer = await buy(shop, film, { customer: { ...customer, first_name: 'Jane', last_name: 'Roe' } })
    assert.equal(answer.status, 201, answer.text)
    const shown = answer.body.order.customer
    assert.deepEqual([shown.email, shown.first_name, shown.default_address.country_code], [email, 'Jane', 'US'])
    const checked = await shop.get(
      `/api/customers.json?email=${email}&password=${encodeURIComponent(CUSTOMER_PASSWORD)}`,
    )
    assert.equal(checked.body.customer.token, shown.token)
    const topics = await service.db
      .selectFrom('events')
      .select('topic')
      .where('company_id', '=', shop.companyId)
      .where('topic', '<>', 'product/create')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      topics.map(({ topic }) => topic),
      ['customer/create', 'order/create'],
    )
  })

  test('is found by token, e-mail address or both, wherever they stand', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { email, token } = await aBuyer(shop)
    const ways: [object, string?][] = [
      [{ customer_token: token }],
      [{ customer_token: token.toLowerCase() }],
      [{ customer: { token } }],
      [{ customer: { token, email: 'other@example.com', password: null, password_confirmation: null } }],
      [{ customer: { email } }],
      [{ email: email.toUpperCase() }],
      [{}, `?email=${encodeURIComponent(email)}`],
      [{ customer: { email, password: CUSTOMER_PASSWORD } }],
      [{ email, password: CUSTOMER_PASSWORD }],
    ]
    for (const [buyer, query] of ways) {
      const answer = await buy(shop, film, buyer, query)
      assert.equal(answer.status, 201, `${JSON.stringify(buyer)}: ${answer.text}`)
      assert.equal(answer.body.order.customer.token, token)
    }
    assert.equal((await readCustomer(shop, token)).orders_count, ways.length)
  })

  test('is refused if somebody else could be meant', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const film = await aFilm(service, shop)
    const own = await aBuyer(shop)
    const theirs = await aBuyer(other)
    const before = await traces(shop)
    const refusals: [object, string][] = [
      [{}, 'customer'],
      [{ customer: null }, 'customer'],
      [{ customer: { email: anEmail() } }, 'customer.password'],
      [{ customer: { email: theirs.email } }, 'customer.password'],
      [{ customer: { email: theirs.email, password: 'not the password' } }, 'password'],
      [{ customer: { email: own.email, password: 'not the password' } }, 'password'],
      [{ customer_token: theirs.token }, 'customer_token'],
      [{ customer_token: 'ABCDEFGHIJKLMNOP' }, 'customer_token'],
      [{ customer_token: 'x\0' }, 'customer_token'],
      [{ email: 'not an address' }, 'email'],
      [{ customer: { email: anEmail(), password: 'short' } }, 'password'],
      [
        { customer: { email: anEmail(), password: CUSTOMER_PASSWORD, password_confirmation: 'x' } },
        'password_confirmation',
      ],
    ]
    for (const [buyer, field] of refusals) {
      const answer = await buy(shop, film, buyer)
      assert.equal(answer.status, 422, `${JSON.stringify(buyer)}: ${answer.text}`)
      assert.deepEqual(Object.keys(answer.body.errors), [field], JSON.stringify(buyer))
    }
    assert.deepEqual(await traces(shop), before)
  })

  test('of another company is known here once the password is right', async () => {
    const shop = await service.openShop()
    const theirs = await aBuyer(await service.openShop())
    const film = await aFilm(service, shop)
    const answer = await buy(shop, film, { customer: { email: theirs.email, password: CUSTOMER_PASSWORD } })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.order.customer.token, theirs.token)
    assert.equal(answer.body.order.customer.orders_count, 1)
  })

  test('can not order while disabled', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { id, token } = await aBuyer(shop)
    await service.db.updateTable('customers').set({ state: 'disabled' }).where('id', '=', id).execute()
    const answer = await buy(shop, film, { customer_token: token })
    assert.deepEqual([answer.status, answer.body.errors], [422, { customer: ['is disabled and can not order'] }])
  })

  test('without an address gets the one that the order brings', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { token } = await aCustomer(shop)
    const answer = await buy(shop, film, { customer: { token, addresses: [{ city: 'Paris', country: 'FR' }] } })
    assert.equal(answer.body.order.customer.default_address.city, 'Paris')
    assert.deepEqual(answer.body.order.tax_lines[0].rate, 0.2)
    const again = await buy(shop, film, { customer: { token, addresses: [{ city: 'Rome', country: 'IT' }] } })
    assert.deepEqual(
      again.body.order.customer.addresses.map(({ city }: Wire) => city),
      ['Paris'],
    )
  })
})

describe('an order that can not be', () => {
  test('is refused with all that is wrong with it, and leaves nothing behind', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const { token } = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const hidden = await aFilm(service, shop, 1190, { published: false })
    const priceless = await aProduct(shop, { published: true })
    const theirs = await aFilm(service, stranger)
    const onlyFrance = await aLicense(service, shop, { restriction_country: [{ country_id: 'FR' }] })
    const { id: price_id } = await aPrice(service, shop)
    const several = await aProduct(shop, {
      published: true,
      price_license_binding: [BUY, RENT].map((license_id) => ({ license_id, price_id })),
    })
    const french = await aProduct(shop, {
      published: true,
      price_license_binding: [{ license_id: onlyFrance.id, price_id }],
    })
    const inSd = await aProduct(shop, {
      published: true,
      price_license_binding: [{ license_id: BUY, price_id, hd: false }],
    })
    const mug = await someGoods(service, shop, 2)
    const before = await traces(shop)
    const line = (product: Wire, more: object = {}) => ({ line_items: [{ product_id: product.product_id, ...more }] })
    const refusals: [object, Record<string, string[]> | string][] = [
      [{}, 'line_items'],
      [{ line_items: [] }, 'line_items'],
      [{ line_items: 'x' }, 'line_items'],
      [{ line_items: [{}] }, 'line_items[0].product_id'],
      [line({ product_id: '0000-0000-0000-0000' }), 'line_items[0].product_id'],
      [line({ product_id: 'x\0' }), 'line_items[0].product_id'],
      [line(theirs), 'line_items[0].product_id'],
      [line(hidden), 'line_items[0].product_id'],
      [line(priceless), 'line_items[0].product_id'],
      [line(film, { license_id: RENT }), 'line_items[0].license_id'],
      [line(inSd, { hd: true }), 'line_items[0].hd'],
      [line(several), 'line_items[0].license_id'],
      [line(several, { license_id: 0 }), 'line_items[0].license_id'],
      [line(french), 'line_items[0].license_id'],
      [line(film, { quantity: 0 }), 'line_items[0].quantity'],
      [line(film, { quantity: -1 }), 'line_items[0].quantity'],
      [line(film, { quantity: 1.5 }), 'line_items[0].quantity'],
      [line(film, { quantity: 10_001 }), 'line_items[0].quantity'],
      [line(film, { quantity: 1e300 }), 'line_items[0].quantity'],
      [line(mug, { quantity: 3 }), { 'line_items[0].quantity': ['is more than there is: 2 left in stock'] }],
      [{ ...line(film), currency: 'XYZ' }, 'currency'],
      [{ ...line(film), currency: 'KPW' }, 'currency'],
      [{ ...line(film), discount_codes: [{ code: 'NONE' }] }, 'discount_codes[0].code'],
      [{ ...line(film), theme_setting_id: 999_999 }, 'theme_setting_id'],
      [{ ...line(mug), shipping_lines: [{ title: 'Rocket' }] }, 'shipping_lines[0].title'],
      [{ ...line(mug), shipping_address: { country: 'Atlantis' } }, 'shipping_address.country'],
      [{ ...line(film), order_number: 'x\0' }, 'order_number'],
      [{ ...line(film), order_number: 'x'.repeat(101) }, 'order_number'],
      [{ ...line(film), customer_notification: 7 }, 'customer_notification'],
    ]
    for (const [attributes, expected] of refusals) {
      const answer = await order(shop, { customer_token: token, ...attributes })
      assert.equal(answer.status, 422, `${JSON.stringify(attributes)}: ${answer.text}`)
      if (typeof expected === 'string') assert.deepEqual(Object.keys(answer.body.errors), [expected], answer.text)
      else assert.deepEqual(answer.body.errors, expected)
    }
    const many = await order(shop, {
      customer_token: token,
      line_items: [
        { product_id: 'x' },
        { product_id: film.product_id, license_id: RENT },
        { product_id: hidden.product_id },
      ],
      currency: 'XYZ',
    })
    assert.deepEqual(Object.keys(many.body.errors), [
      'currency',
      'line_items[0].product_id',
      'line_items[1].license_id',
      'line_items[2].product_id',
    ])
    assert.equal((await shop.post('/api/orders.json', { line_items: [] })).status, 400)
    assert.deepEqual(await traces(shop), before)
  })

  test('is one of a company that takes none', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const film = await aFilm(service, shop)
    for (const off of [{ api_active: false }, { api_active: true, company_disabled: true }]) {
      await setCompany(service, shop, off)
      const answer = await order(shop, { customer_token: token, line_items: [{ product_id: film.product_id }] })
      assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'])
    }
  })
})

describe('the license of a line', () => {
  test('may be left out if there is one, and tells the resolution apart', async () => {
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
