import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { storeQuote } from '#catalog/currency-rates/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer, readCustomer } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, assertBlames, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, order, readOrder } from '#test/orders.ts'
import { aGood } from '#test/sales.ts'
import { countAwaitingOrders } from '../late-rates.commands.ts'

const service = useService()

/** The license to buy at a price in cents. */
async function aBinding(shop: Shop, cents: number, choice: object = {}) {
  const { id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return { license_id: BUY, price_id: id, ...choice }
}

describe('goods and content on a carrier', () => {
  test('need an address that they can be shipped to', async () => {
    const shop = await service.openShop()
    const { product_id } = await aGood(service, shop)
    const { token } = await aCustomer(shop)
    const line_items = [{ product_id }]
    const answer = await order(shop, { customer_token: token, line_items })
    assertBlames(answer, ['shipping_address'])
    assert.equal(answer.body.reason, 'shipping_address_required')
    const shipping_address = { address1: 'Way 1', city: 'Berlin', zip: '10115', country: 'DE' }
    const { status, text } = await order(shop, { customer_token: token, line_items, shipping_address })
    assert.equal(status, 201, text)
  })

  test('are partly fulfilled at once where they give content too, and wholly when they are shipped', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const { id: license_id } = await aLicense(service, shop, { type: 3, physical: 1 })
    const { id: price_id } = await aPrice(service, shop)
    const film = await aProduct(shop, { published: true, price_license_binding: [{ license_id, price_id }] })
    const mug = await aGood(service, shop)
    for (const [product, status] of [
      [film, 'partial'],
      [mug, null],
    ] as const) {
      const line_items = [{ product_id: product.product_id }]
      const { body, text } = await order(shop, { customer_token: customer.token, line_items })
      assert.equal(body.order?.fulfillment_status, status, text)
      await shop.put(`/api/fulfillments/${body.order.id}.json`, { fulfillment: { status: 100 } })
      assert.equal((await readOrder(shop, body.order.id)).fulfillment_status, 'fulfilled')
    }
  })

  test('have the weight that the license gives', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const inGrams = await aLicense(service, shop, { type: 3, physical: 1, physical_weight: 90 })
    const inPounds = await aLicense(service, shop, {
      type: 3,
      physical: 1,
      physical_weight: 2,
      physical_weight_type: 1,
    })
    const price = await aPrice(service, shop)
    const lines = await Promise.all(
      [inGrams, inPounds].map(({ id }) =>
        aProduct(shop, { published: true, price_license_binding: [{ license_id: id, price_id: price.id }] }),
      ),
    )
    const line_items = lines.map(({ product_id }) => ({ product_id, quantity: 2 }))
    const { status, body, text } = await order(shop, { customer_token: customer.token, line_items })
    assert.equal(status, 201, text)
    assert.deepEqual(
      body.order.line_items.map((line: Wire) => line.grams),
      [90, 907],
    )
    assert.equal(body.order.total_weight, 2 * (90 + 907))
  })
})

describe('the binding of a line', () => {
  test('is the only one, whatever resolution is asked for, and the line says what was sold', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const [sdOnly, hdOnly] = [
      await aProduct(shop, {
        published: true,
        product_type: 1,
        price_license_binding: [await aBinding(shop, 1000, { hd: false })],
      }),
      await aProduct(shop, { published: true, product_type: 9, price_license_binding: [await aBinding(shop, 1000)] }),
    ]
    assert.equal(hdOnly.price_license_binding[0].hd, true)
    for (const hd of [true, false, null]) {
      const line_items = [sdOnly, hdOnly].map(({ product_id }) => ({ product_id, hd }))
      const { status, body, text } = await order(shop, { customer_token: customer.token, line_items })
      assert.equal(status, 201, text)
      assert.deepEqual(
        body.order.line_items.map((line: Wire) => line.hd),
        [false, true],
      )
    }
  })

  /** A shop that sells a product in several bindings of one license, for 10, 20, 30 … euros. */
  async function aShopSelling(product_type: number, choices: object[]) {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const price_license_binding = []
    for (const [index, choice] of choices.entries())
      price_license_binding.push(await aBinding(shop, (index + 1) * 1000, choice))
    const { product_id } = await aProduct(shop, { published: true, product_type, price_license_binding })
    return (choice: object) => order(shop, { customer_token: customer.token, line_items: [{ product_id, ...choice }] })
  }

  const PLAIN: [string, number, object[], string, [object, number, number | undefined][]][] = [
    [
      'num_users for one',
      4,
      [{ num_users: 5 }, { num_users: 1 }],
      'num_users',
      [
        [{}, 2000, 1],
        [{ num_users: null }, 2000, 1],
        [{ num_users: 0 }, 2000, 1],
        [{ num_users: 1 }, 2000, 1],
        [{ num_users: 5 }, 1000, 5],
      ],
    ],
    [
      'num_users for one, where that binding says nothing of users',
      16,
      [{ num_users: 5 }, {}],
      'num_users',
      [
        [{}, 2000, undefined],
        [{ num_users: 1 }, 2000, undefined],
        [{ num_users: 5 }, 1000, 5],
      ],
    ],
    [
      'audio_type that of the first binding',
      5,
      [{ audio_type: 3 }, { audio_type: 1 }],
      'audio_type',
      [
        [{}, 1000, 3],
        [{ audio_type: null }, 1000, 3],
        [{ audio_type: 1 }, 2000, 1],
      ],
    ],
  ]
  for (const [name, type, bindings, field, choices] of PLAIN) {
    test(`is the plain one where several differ and the line does not choose: ${name}`, async () => {
      const buy = await aShopSelling(type, bindings)
      for (const [choice, total, value] of choices) {
        const { status, body, text } = await buy(choice)
        assert.equal(status, 201, text)
        assert.deepEqual([body.order.total_price, body.order.line_items[0][field]], [total, value])
      }
    })
  }

  const REFUSED: [string, number, object[], object, string][] = [
    [
      'a kind of audio that is not sold',
      5,
      [{ audio_type: 1 }, { audio_type: 3 }],
      { audio_type: 2 },
      'choice_not_sold',
    ],
    [
      'a number of users that is not sold',
      4,
      [{ num_users: 1 }, { num_users: 3 }],
      { num_users: 2 },
      'choice_not_sold',
    ],
    ['one user where only more are sold', 4, [{ num_users: 3 }, { num_users: 5 }], {}, 'choice_required'],
    ['five users of a binding for one', 4, [{ num_users: 1 }], { num_users: 5 }, 'users_exceeded'],
    ['five users of a film', 1, [{}], { num_users: 5 }, 'users_exceeded'],
    [
      'more users than the binding for all others gives',
      16,
      [{ num_users: 5 }, {}],
      { num_users: 3 },
      'users_exceeded',
    ],
  ]
  for (const [name, type, bindings, choice, reason] of REFUSED) {
    test(`is refused to who asks for ${name}`, async () => {
      const refused = await (await aShopSelling(type, bindings))(choice)
      const [field = 'num_users'] = Object.keys(choice)
      assertBlames(refused, [`line_items[0].${field}`])
      assert.equal(refused.body.reason, reason)
    })
  }

  test('may give more users than the line asks for, and the line says what was sold', async () => {
    const buy = await aShopSelling(4, [{ num_users: 5 }])
    for (const choice of [{}, { num_users: 2 }, { num_users: 5 }]) {
      const { status, body, text } = await buy(choice)
      assert.equal(status, 201, text)
      assert.equal(body.order.line_items[0].num_users, 5)
    }
  })

  test('is not chosen by hd, unless it is a video', async () => {
    for (const type of [4, 5, 16]) {
      const buy = await aShopSelling(type, [{}])
      for (const hd of [true, false, null]) {
        const { status, body, text } = await buy({ hd })
        assert.equal(status, 201, text)
        assert.equal(body.order.line_items[0].hd, false)
      }
    }
  })
})

describe('a currency without a rate', () => {
  test('is counted, with its refunds, when a rate is known', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const { id } = await aPrice(service, shop, { currencies: [{ currency: 'mru', price: 40_000 }] })
    const { product_id } = await aProduct(shop, {
      published: true,
      price_license_binding: [{ license_id: BUY, price_id: id }],
    })
    const sell = async () => {
      const made = await order(shop, { customer_token: customer.token, line_items: [{ product_id }], currency: 'MRU' })
      assert.equal(made.status, 201, made.text)
      return made.body.order.id
    }
    const [refunded, cancelled, _kept] = [await sell(), await sell(), await sell()]
    const refund = await shop.post(`/api/orders/${refunded}/refunds.json`, { refund: { amount: 10_000 } })
    assert.equal(refund.status, 201, refund.text)
    assert.equal((await shop.delete(`/api/orders/${cancelled}.json`)).status, 200)
    const spent = async () => (await readCustomer(shop, customer.token)).total_spent
    const now = nowInSeconds(service.clock)
    assert.equal(await countAwaitingOrders(service.db, now), 0)
    assert.equal(await spent(), 0)
    const rates = { quotedAt: now, rates: new Map([['MRU', 40]]) }
    assert.equal(await inTransaction(service.db, (tx) => storeQuote(tx, rates)), undefined)
    assert.equal(await countAwaitingOrders(service.db, now), 3)
    assert.equal(await spent(), 1000 - 250 + 1000)
    // A second run, and what happens afterwards, count nothing twice.
    assert.equal(await countAwaitingOrders(service.db, now), 0)
    await shop.post(`/api/orders/${refunded}/refunds.json`, { refund: { all: true } })
    assert.equal(await spent(), 1000)
  })

  test('can be sold in, and counts for nothing in the currency of the company', async () => {
    const shop = await service.openShop()
    const customer = await aBuyer(shop)
    const { id } = await aPrice(service, shop, { currencies: [{ currency: 'kwd', price: 1000 }] })
    const { product_id } = await aProduct(shop, {
      published: true,
      price_license_binding: [{ license_id: BUY, price_id: id }],
    })
    const made = await order(shop, { customer_token: customer.token, line_items: [{ product_id }], currency: 'KWD' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.order.total_price, made.body.order.currency], [1000, 'KWD'])
    const { orders_count, total_spent } = made.body.order.customer
    assert.deepEqual({ orders_count, total_spent }, { orders_count: 1, total_spent: 0 })
    const refund = await shop.post(`/api/orders/${made.body.order.id}/refunds.json`, { refund: { all: true } })
    assert.equal(refund.status, 201, refund.text)
  })
})
