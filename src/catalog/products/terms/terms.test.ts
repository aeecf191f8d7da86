import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { updateLicense } from '#catalog/licenses/commands.ts'
import { GENERAL } from '#catalog/licenses/rules.ts'
import type { LicenseInput } from '#catalog/licenses/schema.ts'
import { updatePrice } from '#catalog/prices/commands.ts'
import type { PriceInput } from '#catalog/prices/schema.ts'
import { FOLLOW_TERMS } from '#catalog/term-changes/jobs.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import {
  aLicense,
  anOffer,
  aPrice,
  aProduct,
  assertPresentedFresh,
  eventsOf,
  RENT,
  readProduct,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { claimDue, handlerOf } from '#test/jobs.ts'
import { createProducts } from '../commands.ts'
import { createTermFollowers } from './follow.worker.ts'

const service = useService()
const now = () => nowInSeconds(service.clock)

const changePrice = (shop: Shop, id: number, input: PriceInput) =>
  inTransaction(service.db, (tx) => updatePrice(tx, shop, String(id), input, now()))
const changeLicense = (shop: Shop, id: number, input: LicenseInput) =>
  inTransaction(service.db, (tx) => updateLicense(tx, shop, String(id), input, now()))
const costs = (price: number) => ({ currencies: [{ currency: 'eur', price }] })

/** The ids of the products that events say were updated, in the order of the events. */
async function updated(shop: Shop): Promise<number[]> {
  const events = await eventsOf(service, shop)
  return events.filter(({ topic }) => topic === 'product/update').map(({ data }) => Number(data.id))
}

async function aSoldProduct(shop: Shop) {
  const [price, compared, license] = [
    await aPrice(service, shop),
    await aPrice(service, shop),
    await aLicense(service, shop),
  ]
  const binding = { license_id: license.id, price_id: price.id, compare_price_id: compared.id }
  const product = await aProduct(shop, { published: true, price_license_binding: [binding] })
  return { price, compared, license, product }
}

describe('a product that shows a price model or a license', () => {
  test('changes with each of them: updated_at moves and product/update is emitted', async () => {
    const shop = await service.openShop()
    const { price, compared, license, product } = await aSoldProduct(shop)
    const other = await aSoldProduct(shop)
    let before = product
    const changes = [
      () => changePrice(shop, price.id, costs(1290)),
      () => changePrice(shop, price.id, { title: 'Summer' }),
      () => changePrice(shop, compared.id, costs(1990)),
      () => changeLicense(shop, license.id, { total_downloads: 3 }),
      () => changeLicense(shop, license.id, { name: 'Film circle' }),
    ]
    for (const [index, change] of changes.entries()) {
      service.clock.advance(5)
      await change()
      await service.runJobs()
      const after = await readProduct(shop, product.id)
      assert.notEqual(after.updated_at, before.updated_at)
      assert.deepEqual({ ...after, updated_at: before.updated_at }, before)
      assert.equal((await updated(shop)).length, index + 1)
      before = after
    }
    assert.deepEqual(new Set(await updated(shop)), new Set([product.id]))
    assert.equal((await readProduct(shop, other.product.id)).updated_at, other.product.updated_at)
    await assertPresentedFresh(service, shop, product.id)
  })

  test('changes once, however many values and terms change together', async () => {
    const shop = await service.openShop()
    const { price, compared, license, product } = await aSoldProduct(shop)
    await changePrice(shop, price.id, { title: 'Summer', ...costs(1290) })
    await changePrice(shop, compared.id, costs(1990))
    await changeLicense(shop, license.id, { name: 'Film circle' })
    await service.runJobs()
    assert.deepEqual(await updated(shop), [product.id])
  })

  test('stays when a change changes nothing', async () => {
    const shop = await service.openShop()
    const { price, license } = await aSoldProduct(shop)
    await changePrice(shop, price.id, { title: price.title, ...costs(999) })
    await changeLicense(shop, license.id, { name: license.name })
    await service.runJobs()
    assert.deepEqual(await updated(shop), [])
  })

  test('changes in the shops that mirror it, and in no others', async () => {
    const [owner, seller, stranger] = [await service.openShop(), await service.openShop(), await service.openShop()]
    const { price, product } = await aSoldProduct(owner)
    await aSoldProduct(stranger)
    const taken = await seller.post(`/api/marketplace/${await anOffer(service, owner)}/activate.json`)
    const [mirror] = taken.body.products
    await service.runJobs()
    await changePrice(owner, price.id, costs(1290))
    await service.runJobs()
    assert.deepEqual(await updated(owner), [product.id])
    assert.deepEqual(await updated(seller), [mirror.id])
    assert.deepEqual(await updated(stranger), [])
    await assertPresentedFresh(service, seller, mirror.id)
  })

  test('changes in every shop with a general license, once', async () => {
    const [owner, seller] = [await service.openShop(), await service.openShop()]
    const price = await aPrice(service, owner)
    const bindings = [{ license_id: RENT, price_id: price.id }]
    const product = await aProduct(owner, { published: true, price_license_binding: bindings })
    const taken = await seller.post(`/api/marketplace/${await anOffer(service, owner)}/activate.json`)
    await service.runJobs()
    await changeLicense({ ...owner, companyId: GENERAL }, RENT, { total_downloads: 7 })
    await service.runJobs()
    assert.deepEqual(await updated(owner), [product.id])
    assert.deepEqual(await updated(seller), [taken.body.products[0].id])
  })

  test('changes once in a batch of its own, even if a worker does a batch again', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const input = { product_type: 6, title: 'Mug', price_license_binding: [{ price_id: price.id }] }
    const many = Array.from({ length: 1001 }, () => ({ input, now: now() }))
    await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, many))
    await changePrice(shop, price.id, costs(1290))
    const [job] = await claimDue(service.db, FOLLOW_TERMS, service.clock.now())
    assert.ok(job !== undefined)
    const handler = handlerOf(createTermFollowers(service), FOLLOW_TERMS)
    await handler.run(job)
    assert.equal((await updated(shop)).length, 500)
    await handler.run(job)
    assert.equal((await updated(shop)).length, 500, 'the job is over')
    await service.runJobs()
    const all = await updated(shop)
    assert.deepEqual([all.length, new Set(all).size], [1001, 1001])
  })
})
