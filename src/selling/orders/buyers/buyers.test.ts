import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, traces } from '#test/orders.ts'

const service = useService()

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

  test('is found by token, email address or both, wherever they stand', async () => {
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
      [{ customer_token: 0, customer: { token: 0, email } }],
      [{ customer_token: '0', customer: { token: '', email } }],
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

  test('is refused if it could mean another customer', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const film = await aFilm(service, shop)
    const own = await aBuyer(shop)
    const theirs = await aBuyer(other)
    const before = await traces(service, shop)
    const refusals: [object, string][] = [
      [{}, 'customer'],
      [{ customer: null }, 'customer'],
      [{ customer_token: 0, customer: { token: 0 } }, 'customer'],
      [{ customer: { email: anEmail() } }, 'customer.password'],
      [{ customer: { email: theirs.email, password: 'not the password' } }, 'customer.password'],
      [{ customer: { email: own.email, password: 'not the password' } }, 'customer.password'],
      [{ email: own.email, password: 'not the password' }, 'password'],
      [{ customer_token: theirs.token }, 'customer_token'],
      [{ customer_token: 'ABCDEFGHIJKLMNOP' }, 'customer_token'],
      [{ customer_token: 'x\0' }, 'customer_token'],
      [{ email: 'not an address' }, 'email'],
      [{ customer: { email: anEmail(), password: 'short' } }, 'customer.password'],
      [
        { customer: { email: anEmail(), password: CUSTOMER_PASSWORD, password_confirmation: 'x' } },
        'customer.password_confirmation',
      ],
    ]
    for (const [buyer, field] of refusals) {
      const answer = await buy(shop, film, buyer)
      assert.equal(answer.status, 422, `${JSON.stringify(buyer)}: ${answer.text}`)
      assert.deepEqual(Object.keys(answer.body.errors), [field], JSON.stringify(buyer))
    }
    assert.deepEqual(await traces(service, shop), before)
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

  test('cannot order while disabled', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { id, token } = await aBuyer(shop)
    await service.db.updateTable('customers').set({ state: 'disabled' }).where('id', '=', id).execute()
    const answer = await buy(shop, film, { customer_token: token })
    assert.deepEqual([answer.status, answer.body.errors], [422, { customer: ['is disabled and cannot order'] }])
  })

  test('is decided by a token, whatever else is said of the customer', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { token } = await aBuyer(shop)
    const other = await aBuyer(shop)
    const beside: object[] = [
      { email: null },
      { email: '' },
      { email: 'not an address' },
      { email: other.email },
      { email: '', password: CUSTOMER_PASSWORD },
      { email: other.email, password: 'not the password' },
      { password: 'short' },
      { password: '', password_confirmation: 'x' },
      { email: 'x\0', password: 'x\0' },
    ]
    for (const details of beside) {
      const ways = [{ customer: { token, ...details } }, { customer_token: token, customer: details, ...details }]
      for (const buyer of ways) {
        const answer = await buy(shop, film, buyer)
        assert.equal(answer.status, 201, `${JSON.stringify(buyer)}: ${answer.text}`)
        assert.equal(answer.body.order.customer.token, token)
      }
    }
  })

  test('is found by email address alone if only others know them, and the company learns no more than the account', async () => {
    const theirs = await aBuyer(await service.openShop(), 'FR', { language: 'fr', note: 'Theirs' })
    const ways: [object, string?][] = [
      [{ customer: { email: theirs.email } }],
      [{ customer: { email: theirs.email, password: null } }],
      [{ customer: { email: theirs.email, password: '' } }],
      [{ email: theirs.email.toUpperCase() }],
      [{ email: '', customer: { email: '' } }, `?email=${encodeURIComponent(theirs.email)}`],
    ]
    for (const [buyer, query] of ways) {
      const shop = await service.openShop()
      const answer = await buy(shop, await aFilm(service, shop), buyer, query)
      assert.equal(answer.status, 201, answer.text)
      const { first_name, last_name, note, addresses, default_address, language, ...rest } = answer.body.order.customer
      assert.deepEqual([first_name, last_name, note, addresses, default_address], ['', '', '', [], null])
      assert.deepEqual([rest.token, rest.orders_count, language], [theirs.token, 1, 'fr'])
      assert.equal(answer.body.order.tax_lines[0].rate, 0.19, 'the country that others know does not count')
      assert.equal((await readCustomer(shop, theirs.token)).orders_count, 1)
      assert.equal((await buy(shop, await aFilm(service, shop), buyer, query)).status, 201, 'again')
    }
  })

  test('whom only others know starts with what the order says', async () => {
    const shop = await service.openShop()
    const theirs = await aBuyer(await service.openShop())
    const details = { first_name: 'J.', addresses: [{ city: 'Paris', country: 'FR' }] }
    const film = await aFilm(service, shop)
    const orders = await Promise.all(
      Array.from({ length: 4 }, () => buy(shop, film, { customer: { email: theirs.email, ...details } })),
    )
    for (const { status, text, body } of orders) {
      assert.equal(status, 201, text)
      assert.equal(body.order.tax_lines[0].rate, 0.2)
    }
    const { first_name, last_name, addresses, orders_count } = await readCustomer(shop, theirs.token)
    assert.deepEqual(
      [first_name, last_name, addresses.map(({ city }: Wire) => city), orders_count],
      ['J.', '', ['Paris'], 4],
    )
    assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 1 })
  })
})
