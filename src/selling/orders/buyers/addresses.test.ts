import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statementCount } from '#platform/db/database.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, aShippingMethod, order, readOrder, someGoods } from '#test/orders.ts'

const service = useService()

const PARIS = { address1: 'Rue 1', zip: '75001', city: 'Paris', country: 'FR' }
const ROME = { address1: 'Via 1', zip: '00118', city: 'Roma', country: 'IT' }

const cities = (customer: Wire) =>
  customer.addresses.map((address: Wire) => `${address.city}${address.default ? '*' : ''}`)

const topicsOf = async (shop: Shop) =>
  (
    await service.db
      .selectFrom('events')
      .select('topic')
      .where('company_id', '=', shop.companyId)
      .where('topic', 'not like', 'product/%')
      .orderBy('id')
      .execute()
  )
    .map(({ topic }) => topic)
    .sort()

describe('addresses that an order brings', () => {
  test('count for this order, and are added to what the company knows', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const lines = [await aFilm(service, shop), await someGoods(service, shop)]
    const made = await anOrder(shop, { token }, lines, { customer: { addresses: [PARIS] } })
    assert.deepEqual([made.shipping_address.city, made.tax_lines[0].rate], ['Paris', 0.2])
    assert.deepEqual(cities(made.customer), ['Town*', 'Paris'])
    assert.deepEqual(made.customer, await readCustomer(shop, token))
    assert.deepEqual(await readOrder(shop, made.id), made)
    assert.deepEqual(await topicsOf(shop), ['customer/create', 'customer/update', 'order/create'])
    const next = await anOrder(shop, { token }, lines)
    assert.deepEqual([next.shipping_address.city, next.tax_lines[0].rate], ['Town', 0.19])
  })

  test('count for this order even if the customer has as many addresses as allowed', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const full = Array.from({ length: 100 }, (_, index) => ({ ...ROME, address1: `Via ${index}` }))
    const answer = await shop.put(`/api/customers/${token}.json`, { customer: { addresses: full } })
    assert.equal(answer.status, 200, answer.text)
    const { addresses } = await readCustomer(shop, token)
    const lines = [await aFilm(service, shop), await someGoods(service, shop)]
    const made = await anOrder(shop, { token }, lines, { customer: { addresses: [{ ...PARIS, default: true }] } })
    assert.deepEqual([made.shipping_address.city, made.tax_lines[0].rate], ['Paris', 0.2])
    assert.deepEqual((await readCustomer(shop, token)).addresses, addresses)
  })

  test('are not added twice, however they are sent', async () => {
    const shop = await service.openShop()
    const { token, addresses } = await aBuyer(shop)
    const film = await aFilm(service, shop)
    for (const sent of [
      [PARIS],
      [PARIS, PARIS],
      [{ ...PARIS, country: undefined, country_code: 'fr' }],
      addresses,
      [{}],
    ])
      await anOrder(shop, { token }, [film], { customer: { addresses: sent } })
    const after = await readCustomer(shop, token)
    assert.deepEqual(cities(after), ['Town*', 'Paris'])
    assert.equal((await topicsOf(shop)).filter((topic) => topic === 'customer/update').length, 1)
    const back = await anOrder(shop, { token }, [film], { customer: after })
    assert.deepEqual(back.customer.addresses, after.addresses)
  })

  test('count by the one that is marked as default, else by the first', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    const bought = (addresses: object[]) => anOrder(shop, { token }, [mug], { customer: { addresses } })
    assert.equal((await bought([PARIS, ROME])).shipping_address.city, 'Paris')
    assert.equal((await bought([{}, ROME])).shipping_address.city, 'Roma')
    const chosen = await bought([PARIS, { ...ROME, default: true }])
    assert.equal(chosen.shipping_address.city, 'Roma')
    assert.deepEqual(cities(chosen.customer), ['Town', 'Paris', 'Roma*'])
  })

  // The ids come with those of the lines, and the addresses are written with the numbers of the customer.
  test('cost no statement of their own', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const statementsOf = async (addresses: (round: number) => object[]) => {
      const counts: number[] = []
      for (let round = 0; round < 4; round += 1) {
        const start = statementCount()
        await anOrder(shop, { token }, [film], { customer: { token, addresses: addresses(round) } })
        counts.push(statementCount() - start)
      }
      return Math.min(...counts)
    }
    const without = await statementsOf(() => [])
    assert.equal(await statementsOf((round) => [{ ...PARIS, city: `Paris ${round}` }]), without)
    assert.equal((await readCustomer(shop, token)).addresses.length, 5)
  })

  test('decide which license can be sold, and where goods can be shipped', async () => {
    const shop = await service.openShop()
    await aShippingMethod(service, shop, { countries: ['DE'] })
    const { token } = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    const line_items = [{ product_id: mug.product_id }]
    const away = await order(shop, { customer: { token, addresses: [PARIS] }, line_items })
    assert.deepEqual([away.status, away.body.reason], [422, 'shipping_country_not_served'])
    assert.deepEqual(cities(await readCustomer(shop, token)), ['Town*'], 'nothing is written')
    assert.equal((await order(shop, { customer: { token }, line_items })).status, 201)
  })

  test('are added by a test order too, and fill in names that the company lacks', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    const film = await aFilm(service, shop)
    const customer = { token, first_name: 'Jane', last_name: 'Roe', addresses: [PARIS] }
    const made = await anOrder(shop, { token }, [film], { test: true, customer })
    assert.deepEqual([made.customer.first_name, cities(made.customer)], ['Jane', ['Paris*']])
    assert.deepEqual(await readCustomer(shop, token), made.customer)
    const again = await anOrder(shop, { token }, [film], { customer: { token, first_name: 'Janet' } })
    assert.equal(again.customer.first_name, 'Jane')
  })

  test('keep the country that is known if they name none', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop, 'FR')
    const made = await anOrder(shop, { token }, [await aFilm(service, shop)], {
      customer: { addresses: [{ address1: 'Rue 2', city: 'Lyon' }] },
    })
    assert.equal(made.tax_lines[0].rate, 0.2)
  })

  test('stay on the invoice once the company has removed the customer', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const made = await anOrder(shop, { token }, [await aFilm(service, shop)], { customer: { addresses: [PARIS] } })
    await shop.delete(`/api/customers/${token}.json`)
    assert.equal((await readOrder(shop, made.id)).customer.default_address.city, 'Paris')
  })
})

describe('the shipping address of an order', () => {
  const WAY = { address1: 'Way 1', zip: '10115', city: 'Berlin', country: 'DE' }

  test('takes a full name, and without names those of the customer', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    const names = async (sent: object) => {
      const { shipping_address } = await anOrder(shop, { token }, [mug], { shipping_address: { ...WAY, ...sent } })
      return [shipping_address.first_name, shipping_address.last_name, shipping_address.name]
    }
    assert.deepEqual(await names({ name: 'Ann Lee' }), ['Ann', 'Lee', 'Ann Lee'])
    assert.deepEqual(await names({ name: 'Cher' }), ['', 'Cher', 'Cher'])
    assert.deepEqual(await names({ first_name: 'Ann', name: 'Bob Lee' }), ['Ann', '', 'Ann'])
    assert.deepEqual(await names({}), ['Jane', 'Roe', 'Jane Roe'])
    const unnamed = await aCustomer(shop, { first_name: 'Jim', last_name: 'Doe', addresses: [WAY] })
    const { shipping_address } = await anOrder(shop, unnamed, [mug])
    assert.equal(shipping_address.name, 'Jim Doe')
    const email = anEmail()
    const customer = { email, password: CUSTOMER_PASSWORD, first_name: 'New', last_name: 'Buyer', addresses: [WAY] }
    const first = await order(shop, { customer, line_items: [{ product_id: mug.product_id }] })
    assert.equal(first.body.order.shipping_address.name, 'New Buyer', first.text)
  })

  test('is replaced whole by a PUT, with the names of the customer if it has none', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    const before = { ...WAY, name: 'Ann Lee', company: 'Lee Ltd', address2: 'Back yard', phone: '1' }
    const made = await anOrder(shop, { token }, [mug], { shipping_address: before })
    const put = async (shipping_address: unknown) =>
      (await shop.put(`/api/orders/${made.id}.json`, { order: { shipping_address } })).body.order.shipping_address
    const after = await put(ROME)
    const { id, name, company, address2, phone, city, country_code, country } = after
    assert.deepEqual(
      { id, name, company, address2, phone, city, country_code, country },
      {
        id: made.shipping_address.id,
        name: 'Jane Roe',
        company: '',
        address2: '',
        phone: '',
        city: 'Roma',
        country_code: 'IT',
        country: 'Italy',
      },
    )
    assert.deepEqual(await put(after), after, 'as it was read')
    assert.equal((await put({ ...after, country_code: 'AT' })).country, 'Austria', 'the spelling that differs')
    const named = await put({ ...WAY, name: 'Ann Lee', country: null, country_code: 'DE' })
    assert.deepEqual([named.name, named.country], ['Ann Lee', 'Germany'])
    assert.deepEqual(await put({}), named, 'an empty object says nothing')
  })

  test('is no empty text, in a POST or a PUT', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    const made = await anOrder(shop, { token }, [mug])
    const line_items = [{ product_id: mug.product_id }]
    for (const answer of [
      await order(shop, { customer_token: token, line_items, shipping_address: '' }),
      await shop.put(`/api/orders/${made.id}.json`, { order: { shipping_address: '' } }),
    ])
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['shipping_address']], answer.text)
    assert.deepEqual((await readOrder(shop, made.id)).shipping_address, made.shipping_address)
  })

  test('is not removed by null as long as there are goods', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await anOrder(shop, buyer, [await someGoods(service, shop)])
    const film = await anOrder(shop, buyer, [await aFilm(service, shop)], { shipping_address: ROME })
    for (const [made, expected] of [
      [mug, mug.shipping_address],
      [film, null],
    ]) {
      const answer = await shop.put(`/api/orders/${made.id}.json`, { order: { shipping_address: null } })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual((await readOrder(shop, made.id)).shipping_address, expected)
    }
    assert.ok(mug.shipping_address)
  })

  test('is as complete in a PUT as in a POST', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    const made = await anOrder(shop, buyer, [mug])
    const line_items = [{ product_id: mug.product_id }]
    for (const [shipping_address, isEnough] of [
      [{ country: 'IT' }, true],
      [{ name: 'Nobody' }, false],
    ]) {
      const posted = await order(shop, { customer_token: buyer.token, line_items, shipping_address })
      const put = await shop.put(`/api/orders/${made.id}.json`, { order: { shipping_address } })
      assert.deepEqual([posted.status, put.status], isEnough ? [201, 200] : [422, 422])
    }
  })

  test('is refused where the shop does not ship, and where goods have no place to go to', async () => {
    const shop = await service.openShop()
    await aShippingMethod(service, shop, { countries: ['DE', 'AT'] })
    const made = await anOrder(shop, await aBuyer(shop), [await someGoods(service, shop)])
    const film = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop)])
    const put = (id: number, shipping_address: object) =>
      shop.put(`/api/orders/${id}.json`, { order: { shipping_address } })
    const away = await put(made.id, ROME)
    assert.deepEqual(
      [away.status, away.body.reason, Object.keys(away.body.errors)],
      [422, 'shipping_country_not_served', ['shipping_address']],
    )
    assert.equal((await put(made.id, { name: 'Nobody' })).body.reason, 'shipping_address_required')
    assert.deepEqual((await readOrder(shop, made.id)).shipping_address, made.shipping_address)
    assert.equal((await put(made.id, { ...ROME, country: 'AT' })).status, 200)
    assert.equal((await put(film.id, ROME)).status, 200, 'nothing is shipped')
  })
})
