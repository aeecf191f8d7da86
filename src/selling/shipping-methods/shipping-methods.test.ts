import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aPrice } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, anOrder, order, readOrder, someGoods } from '#test/orders.ts'
import { aTerm, changeTerm, createTerm, deleteTerm } from '#test/terms.ts'

const service = useService()

const eur = (price: number) => ({ currencies: [{ currency: 'eur', price }] })

async function aShopWithGoods() {
  const shop = await service.openShop()
  const [goods, buyer] = [await someGoods(service, shop), await aBuyer(shop)]
  const buy = async (attributes: object = {}) => {
    const { id, shipping_lines } = await anOrder(shop, buyer, [goods], attributes)
    return { id, title: shipping_lines[0]?.title, price: shipping_lines[0]?.price }
  }
  return { shop, goods, buyer, buy }
}

describe('a shipping method', () => {
  test('is used in the order of positions', async () => {
    const { shop, buy } = await aShopWithGoods()
    const first = await aTerm(shop, 'shipping_method', { title: 'First' })
    const second = await aTerm(shop, 'shipping_method', { title: 'Second' })
    assert.ok(second.position > first.position, 'a new one comes last')
    assert.equal((await buy()).title, 'First')
    await changeTerm(shop, 'shipping_method', second.id, { position: 0 })
    assert.equal((await buy()).title, 'Second')
    await aTerm(shop, 'shipping_method', { title: 'Third', position: 0 })
    assert.equal((await buy()).title, 'Second', 'of two with the same position the older one')
  })

  test('comes last after the highest position too, and can be sent back', async () => {
    const { shop, buy } = await aShopWithGoods()
    await aTerm(shop, 'shipping_method', { title: 'First', position: 1_000_000 })
    const last = await aTerm(shop, 'shipping_method', { title: 'Last' })
    assert.equal((await buy()).title, 'First')
    const back = await shop.put(`/api/shipping_methods/${last.id}.json`, { shipping_method: last })
    assert.equal(back.status, 200, back.text)
  })

  test('takes countries by code and by name, in any case', async () => {
    const { shop } = await aShopWithGoods()
    const method = await aTerm(shop, 'shipping_method', { title: 'Parcel', countries: ['de', 'Austria', 'GERMANY'] })
    assert.deepEqual(method.countries, ['DE', 'AT'])
    const changed = await changeTerm(shop, 'shipping_method', method.id, { countries: ['switzerland'] })
    assert.deepEqual(changed.countries, ['CH'])
    assert.deepEqual((await changeTerm(shop, 'shipping_method', method.id, { countries: [] })).countries, [])
  })

  test('costs what its price says, and is free without one', async () => {
    const { shop, buy } = await aShopWithGoods()
    const { id: price_id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 490 }] })
    const method = await aTerm(shop, 'shipping_method', { title: 'Parcel', price_id })
    const before = await buy()
    assert.deepEqual([method.price_id, before.price], [price_id, 490])
    for (const none of [0, null]) {
      const changed = await changeTerm(shop, 'shipping_method', method.id, { price_id: none })
      assert.deepEqual([changed.price_id, (await buy()).price], [null, 0])
      await changeTerm(shop, 'shipping_method', method.id, { price_id })
    }
    assert.equal((await readOrder(shop, before.id)).shipping_lines[0].price, 490)
  })

  test('costs by the weight of the parcel, and is refused for one that is too heavy', async () => {
    const { shop, goods, buyer } = await aShopWithGoods()
    const [light, heavy] = [await aPrice(service, shop, eur(490)), await aPrice(service, shop, eur(990))]
    await shop.put(`/api/products/${goods.id}.json`, { product: { weight: 800 } })
    const method = await aTerm(shop, 'shipping_method', {
      title: 'Parcel',
      weight_rates: [
        { weight_max: 2000, price_id: heavy.id },
        { weight_max: 1000, price_id: light.id },
      ],
    })
    assert.deepEqual(method.weight_rates, [
      { weight_max: 1000, price_id: light.id },
      { weight_max: 2000, price_id: heavy.id },
    ])
    const lines = (quantity: number) => ({
      customer_token: buyer.token,
      line_items: [{ product_id: goods.product_id, quantity }],
    })
    const charged = async (quantity: number) => (await order(shop, lines(quantity))).body.order.shipping_lines[0].price
    assert.deepEqual([await charged(1), await charged(2)], [490, 990])
    const refused = await order(shop, lines(3))
    assert.deepEqual(
      [refused.status, refused.body.reason, Object.keys(refused.body.errors)],
      [422, 'parcel_too_heavy', ['line_items']],
    )
  })

  test('is free from an amount on, whatever its price', async () => {
    const { shop, goods, buyer } = await aShopWithGoods()
    const { id: price_id } = await aPrice(service, shop, eur(490))
    const one = (await anOrder(shop, buyer, [goods])).total_line_items_price
    const method = await aTerm(shop, 'shipping_method', { title: 'Parcel', price_id, free_from: 2 * one })
    const charged = async (quantity: number) =>
      (await anOrder(shop, buyer, [{ product_id: goods.product_id, quantity }])).shipping_lines[0].price
    assert.deepEqual([await charged(1), await charged(2)], [490, 0])
    await changeTerm(shop, 'shipping_method', method.id, { free_from: null })
    assert.equal(await charged(2), 490)
  })

  test('that is deleted is refused for new orders and stays in old ones', async () => {
    const { shop, goods, buyer, buy } = await aShopWithGoods()
    const method = await aTerm(shop, 'shipping_method', { title: 'Parcel' })
    await aTerm(shop, 'shipping_method', { title: 'Letter' })
    const before = await buy()
    await deleteTerm(shop, 'shipping_method', method.id)
    assert.equal((await buy()).title, 'Letter')
    const answer = await order(shop, {
      customer_token: buyer.token,
      line_items: [{ product_id: goods.product_id }],
      shipping_lines: [{ title: 'Parcel' }],
    })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['shipping_lines[0].title']])
    assert.equal((await readOrder(shop, before.id)).shipping_lines[0].title, 'Parcel')
  })

  test('can name a partner, and takes it back', async () => {
    const [{ shop }, partner] = [await aShopWithGoods(), await service.openShop()]
    const partnerId = partner.companyId
    const method = await aTerm(shop, 'shipping_method', { title: 'Parcel', shipping_partner_id: partnerId })
    assert.equal(method.shipping_partner_id, partnerId)
    const changed = await changeTerm(shop, 'shipping_method', method.id, { shipping_partner_id: 0 })
    assert.equal(changed.shipping_partner_id, null)
  })

  test('is refused with the fields that are at fault', async () => {
    const [{ shop }, other] = [await aShopWithGoods(), await service.openShop()]
    const theirs = await aPrice(service, other)
    const wrong: [object, string[]][] = [
      [{}, ['title']],
      [{ title: ' ' }, ['title']],
      [{ title: 'X', countries: ['Atlantis'] }, ['countries[0]']],
      [{ title: 'X', price_id: theirs.id }, ['price_id']],
      [{ title: 'X', weight_rates: [{ weight_max: 0 }] }, ['weight_rates[0].weight_max']],
      [{ title: 'X', weight_rates: [{}, { weight_max: 9, price_id: theirs.id }] }, ['weight_rates[1].price_id']],
      [{ title: 'X', free_from: -1 }, ['free_from']],
      [{ title: 'X', shipping_partner_id: shop.companyId }, ['shipping_partner_id']],
      [{ title: 'X', shipping_partner_id: 999_999 }, ['shipping_partner_id']],
      [{ title: 'X', tracking_url: 'https://example.com' }, ['tracking_url']],
      [{ title: 'X', position: -1 }, ['position']],
    ]
    for (const [input, fields] of wrong) {
      const { status, body } = await createTerm(shop, 'shipping_method', input)
      assert.deepEqual([status, Object.keys(body.errors)], [422, fields], JSON.stringify(input))
    }
  })

  // Every sale of goods reads all of them.
  test('is one of 300 at most', async () => {
    const { shop } = await aShopWithGoods()
    const { id: _id, ...row } = await service.db
      .selectFrom('shipping_methods')
      .selectAll()
      .where('company_id', '=', shop.companyId)
      .where('id', '=', (await aTerm(shop, 'shipping_method', { title: '0' })).id)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 299 }, (_, index) => ({ ...row, title: String(index + 1) }))
    await service.db.insertInto('shipping_methods').values(others).execute()
    const answer = await createTerm(shop, 'shipping_method', { title: 'One more' })
    assert.deepEqual([answer.status, answer.body.reason], [409, 'too_many_shipping_methods'])
  })
})
