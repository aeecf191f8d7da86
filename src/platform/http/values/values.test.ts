import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { aCategory, aLicense, aProduct, assertBlames, aThemeSetting } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, orderOf } from '#test/shipping.ts'

const service = useService()
const NONE = [0, '0', '', null]

describe('a reference to nothing', () => {
  test('clears what can be nothing', async () => {
    const shop = await service.openShop()
    const parent = await aCategory(shop)
    const { id: license } = await aLicense(service, shop)
    for (const none of NONE) {
      const category = await aCategory(shop, { parent_id: parent.id })
      const moved = await shop.put(`/api/categories/${category.id}.json`, { category: { parent_id: none } })
      assert.equal(moved.body.category.parent_id, 0)

      const theme = await aThemeSetting(shop, { sample_product_license_id: license })
      const sampleless = { theme_id: none, sample_product_license_id: none, locales: [{ id: none, language_id: 'en' }] }
      const put = await shop.put(`/api/themesettings/${theme.id}.json`, { ThemeSetting: sampleless })
      assert.deepEqual(
        [put.status, put.body.ThemeSetting?.theme_id, put.body.ThemeSetting?.sample_product_license_id],
        [200, 1, null],
        put.text,
      )

      const price_license_binding = [{ id: none, license_id: none, price_id: none, compare_price_id: none }]
      const product = await aProduct(shop, { product_type: 6, attribute_set_id: none, price_license_binding })
      const [{ license_id, price_id, compare_price_id }] = product.price_license_binding
      assert.deepEqual([product.attribute_set_id, license_id, price_id, compare_price_id], [null, null, null, null])
    }
  })

  test('takes what there is: the first shop, the only license', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const [first] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    for (const none of NONE) {
      const { token } = await aCustomer(shop)
      const line_items = [{ product_id: film.product_id, license_id: none }]
      const order = { customer_token: token, theme_setting_id: none, line_items }
      const { status, body, text } = await shop.post('/api/orders.json', { order })
      assert.equal(status, 201, text)
      assert.equal(body.order.theme_setting_id, first.id)
      assert.equal(body.order.line_items[0].license_id, film.price_license_binding[0].license_id)
    }
  })

  test('is missing where something is needed', async () => {
    const shop = await service.openShop()
    const order = await orderOf(shop, [await aFilm(service, shop)])
    for (const none of NONE) {
      const lines = await shop.post('/api/orders.json', { order: { line_items: [{ product_id: none }] } })
      assert.deepEqual(lines.body.errors, { 'line_items[0].product_id': ['is required'] })
      const refund = await shop.post(`/api/orders/${order.id}/refunds.json`, {
        refund: { refund_line_items: [{ line_item_id: none }] },
      })
      assert.deepEqual(refund.body.errors, { 'refund_line_items[0].line_item_id': ['is required'] })
      const product = { product_type: 1, title: 'Film', themes: [{ theme_id: none }], groups: [{ group_id: none }] }
      assertBlames(await shop.post('/api/products.json', { product }), ['groups[0].group_id', 'themes[0].theme_id'])
    }
  })
})

describe('null', () => {
  test('leaves a text as it is', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop, { first_name: 'Jane', note: 'Calls', addresses: [{ city: 'Berlin' }] })
    const [address] = customer.addresses
    const nulls = { first_name: null, note: null, addresses: [{ id: address.id, city: null, country: null }] }
    const put = await shop.put(`/api/customers/${customer.token}.json`, { customer: nulls })
    assert.deepEqual(
      [put.body.customer.first_name, put.body.customer.note, put.body.customer.addresses[0].city],
      ['Jane', 'Calls', 'Berlin'],
    )

    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { street: 'Main Street 1', zip: '10115' } })
    const company = { street: null, zip: null, creditcard_number: null }
    const { street, zip } = (await shop.put(`/api/companies/${shop.companyId}.json`, { company })).body.company
    assert.deepEqual([street, zip], ['Main Street 1', '10115'])

    await shop.put(`/api/users/${shop.userId}.json`, { user: { first_name: 'Ann', note: 'Owner' } })
    const { user } = (await shop.put(`/api/users/${shop.userId}.json`, { user: { first_name: null, note: null } })).body
    assert.deepEqual([user.first_name, user.note], ['Ann', 'Owner'])

    const theme = await aThemeSetting(shop, { html_tag: '<b>', locales: [{ language_id: 'en', shop_name: 'Books' }] })
    const ThemeSetting = { html_tag: null, locales: [{ id: theme.locales[0].id, shop_name: null }] }
    const changed = (await shop.put(`/api/themesettings/${theme.id}.json`, { ThemeSetting })).body.ThemeSetting
    assert.deepEqual([changed.html_tag, changed.locales[0].shop_name], ['<b>', 'Books'])

    const category = await aCategory(shop, { comment: 'For us' })
    const kept = await shop.put(`/api/categories/${category.id}.json`, { category: { comment: null } })
    assert.equal(kept.body.category.comment, 'For us')

    const goods = await aProduct(shop, { product_type: 6, gtin: '4006381333931', weight: 5 })
    const same = await shop.put(`/api/products/${goods.id}.json`, { product: { gtin: null, weight: null } })
    assert.deepEqual([same.body.product.gtin, same.body.product.weight], ['4006381333931', 5])
  })
})

describe('a raw plus in an email address', () => {
  const plus = async (shop: Shop) =>
    aCustomer(shop, { email: `jane+films.${shop.companyId}@example.com`, first_name: 'Jane' })

  test('is understood where a password is checked, and in a search', async () => {
    const shop = await service.openShop()
    const { email, token } = await plus(shop)
    const password = encodeURIComponent(CUSTOMER_PASSWORD)
    for (const sent of [email, encodeURIComponent(email)]) {
      const checked = await shop.get(`/api/customers.json?email=${sent}&password=${password}`)
      assert.equal(checked.body.customer?.token, token, checked.text)
      for (const search of [`email:${sent}`, `email%3A${sent}`, `email:%20${sent}`]) {
        const found = await shop.get(`/api/customers/search.json?query=${search}`)
        assert.equal(found.body.customers?.[0]?.token, token, `${search}: ${found.text}`)
      }
    }
    assert.equal((await shop.get('/api/customers/search.json?query=first_name:Jane')).body.customers.length, 1)
  })

  test('is understood in searches for users and companies, and for the customer of an order', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop({ partnerId: partner.companyId })
    const email = `ann+shop.${shop.companyId}@example.com`
    await shop.post('/api/users.json', { user: { email } })
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { email } })
    assert.equal((await shop.get(`/api/users/search.json?query=email:${email}`)).body.users.length, 1)
    assert.equal((await partner.get(`/api/companies/search.json?query=email:${email}`)).body.companies.length, 1)

    const buyer = await plus(shop)
    const line_items = [{ product_id: (await aFilm(service, shop)).product_id }]
    const { body, text } = await shop.post(`/api/orders.json?email=${buyer.email}`, { order: { line_items } })
    assert.equal(body.order?.customer_token, buyer.token, text)
  })
})

describe('a body with several faults', () => {
  test('is told all of them, whatever their kinds', async () => {
    const shop = await service.openShop()
    const long = 'x'.repeat(300)
    assertBlames(await shop.post('/api/products.json', { product: { version: long, published: 'yes' } }), [
      'product_type',
      'title',
      'version',
      'published',
    ])
    assertBlames(await shop.post('/api/products.json', { product: { product_type: 'x', title: {}, runtime: -1 } }), [
      'product_type',
      'title',
      'runtime',
    ])
    const category = { enabled: 'yes', position: -1, locales: [{ language: 'english' }] }
    assertBlames(await shop.post('/api/categories.json', { category }), [
      'title',
      'enabled',
      'position',
      'locales[0].language',
    ])
    const customer = { email: {}, first_name: long, addresses: 'none' }
    assertBlames(await shop.post('/api/customers.json', { customer }), ['password', ...Object.keys(customer)])
    const order = { currency: 'EURO', test: 'no', line_items: [{ quantity: 'many' }] }
    assertBlames(await shop.post('/api/orders.json', { order }), [
      'currency',
      'test',
      'line_items[0].product_id',
      'line_items[0].quantity',
    ])
  })

  test('with the title in a locale lacks none', async () => {
    const shop = await service.openShop()
    const product = { product_type: 1, published: 'yes', locales: [{ language_id: 'en', title: 'Film' }] }
    assertBlames(await shop.post('/api/products.json', { product }), ['published'])
  })
})
