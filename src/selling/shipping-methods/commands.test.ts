import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#platform/errors/problem.ts'
import { aPrice } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aShippingMethod } from '#test/orders.ts'
import { anOrderOfGoods } from '#test/shipping.ts'
import { readShippingMethods } from './queries.ts'

const service = useService()

async function assertRefused(work: Promise<unknown>, path: string): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.status, Object.keys(error.fields ?? {})], [422, [path]])
    return true
  })
}

describe('shipping methods', () => {
  // Enough for PostgreSQL to keep a generic plan for the statement.
  test('are kept as they were made, oldest first, however many', async () => {
    const shop = await service.openShop()
    const made = []
    for (let index = 0; index < 12; index += 1) made.push(await aShippingMethod(service, shop, { title: `W ${index}` }))
    const kept = await readShippingMethods(service.db, shop.companyId)
    assert.deepEqual(
      kept.map(({ price: _price, rate_prices: _prices, ...method }) => method),
      made,
    )
  })

  test('name prices and companies that are there', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const theirs = await aPrice(service, other)
    await assertRefused(aShippingMethod(service, shop, { price_id: theirs.id }), 'price_id')
    await assertRefused(aShippingMethod(service, shop, { price_id: 999_999 }), 'price_id')
    await assertRefused(aShippingMethod(service, shop, { shipping_partner_id: 999_999 }), 'shipping_partner_id')
    await assertRefused(aShippingMethod(service, shop, { shipping_partner_id: shop.companyId }), 'shipping_partner_id')
    assert.deepEqual(await readShippingMethods(service.db, shop.companyId), [])
  })

  test('have names of their own, in any case, and by company', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await aShippingMethod(service, shop, { title: 'Express' })
    await assertRefused(aShippingMethod(service, shop, { title: ' EXPRESS ' }), 'title')
    await aShippingMethod(service, other, { title: 'Express' })
    assert.equal((await readShippingMethods(service.db, shop.companyId)).length, 1)
  })

  test('cost what their price says', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 490 }] })
    await aShippingMethod(service, shop, { title: 'Parcel', price_id: price.id })
    const { shipping_lines } = await anOrderOfGoods(service, shop)
    assert.deepEqual(
      shipping_lines.map(({ title, price }: { title: string; price: number }) => [title, price]),
      [['Parcel', 490]],
    )
  })
})
