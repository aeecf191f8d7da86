import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
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
