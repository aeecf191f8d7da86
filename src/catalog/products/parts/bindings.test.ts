import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invalidateLicense, updateLicense } from '#catalog/licenses/commands.ts'
import { GENERAL } from '#catalog/licenses/rules.ts'
import { invalidatePrice } from '#catalog/prices/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import {
  aLicense,
  aPrice,
  aProduct,
  assertBlames,
  assertPresentedFresh,
  BUY,
  eventsOf,
  RENT,
  readProduct,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()
const now = () => nowInSeconds(service.clock)
const FILM = { product_type: 1, title: 'Film' }
const WEB_ACCESS = { product_type: 3, title: 'Members' }

const make = (shop: Shop, ...price_license_binding: object[]) =>
  shop.post('/api/products.json', { product: { ...FILM, price_license_binding } })
const change = (shop: Shop, id: number, ...price_license_binding: object[]) =>
  shop.put(`/api/products/${id}.json`, { product: { price_license_binding } })
const endPrice = (shop: Shop, id: number) =>
  inTransaction(service.db, (tx) => invalidatePrice(tx, shop, String(id), now()))
const endLicense = (shop: { companyId: number }, id: number) =>
  inTransaction(service.db, (tx) => invalidateLicense(tx, shop, String(id), now()))

const UNKNOWN = 123_456_789

describe('what a product is sold under', () => {
  test('is a general license or one of the shop, at a price of the shop', async () => {
    const shop = await service.openShop()
    const [license, price, former] = [
      await aLicense(service, shop),
      await aPrice(service, shop),
      await aPrice(service, shop),
    ]
    const sent = [
      { license_id: BUY, price_id: price.id, compare_price_id: former.id, hd: true },
      { license_id: license.id, price_id: former.id, compare_price_id: null, hd: null },
    ]
    const { status, text, body } = await make(shop, ...sent)
    assert.equal(status, 201, text)
    const { id, price_license_binding } = body.product
    assert.deepEqual(
      price_license_binding.map(({ id: _id, ...binding }: { id: number }) => binding),
      sent,
    )
    await assertPresentedFresh(service, shop, id)
  })

  test('has to be there: each that is not is named by its path, all of them at once', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const [foreignLicense, foreignPrice] = [await aLicense(service, stranger), await aPrice(service, stranger)]
    const { id } = await aProduct(shop)
    const price = await aPrice(service, shop)
    const wrong = [
      { license_id: UNKNOWN, price_id: price.id },
      { license_id: BUY, price_id: UNKNOWN, compare_price_id: price.id },
      { license_id: foreignLicense.id, price_id: foreignPrice.id, compare_price_id: foreignPrice.id },
      // A price is no license and a license is no price, whatever their ids are.
      { license_id: price.id + 1_000_000, price_id: RENT + 1_000_000 },
    ]
    const paths = [
      'price_license_binding[0].license_id',
      'price_license_binding[1].price_id',
      'price_license_binding[2].license_id',
      'price_license_binding[2].price_id',
      'price_license_binding[2].compare_price_id',
      'price_license_binding[3].license_id',
      'price_license_binding[3].price_id',
    ]
    assertBlames(await make(shop, ...wrong), paths)
    const answer = await change(shop, id, ...wrong)
    assertBlames(answer, paths)
    assert.equal(answer.body.error, 'Price license binding license id is not a license of this shop.')
    assert.deepEqual((await readProduct(shop, id)).price_license_binding, [])
    assert.equal((await eventsOf(service, shop)).length, 1)
  })

  test('is reported together with unknown categories', async () => {
    const shop = await service.openShop()
    const product = {
      ...FILM,
      categories: [{ category_id: UNKNOWN }],
      price_license_binding: [{ license_id: BUY, price_id: UNKNOWN }],
    }
    assertBlames(await shop.post('/api/products.json', { product }), [
      'categories[0].category_id',
      'price_license_binding[0].price_id',
    ])
  })

  test('is a license for content; other things may be sold without one', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const sent = [{ price_id: price.id }]
    const post = (product_type: number, price_license_binding: object[]) =>
      shop.post('/api/products.json', { product: { title: 'Thing', product_type, price_license_binding } })
    for (const type of [1, 4, 5, 7, 9, 16])
      for (const none of [{}, { license_id: null }, { license_id: 0 }])
        assertBlames(await post(type, [{ ...sent[0], ...none }]), ['price_license_binding[0].license_id'])
    for (const type of [3, 6, 17]) {
      const { status, text } = await post(type, sent)
      assert.equal(status, 201, text)
    }
    const film = await aProduct(shop, { price_license_binding: [{ license_id: BUY, price_id: price.id }] })
    const [binding] = film.price_license_binding
    assertBlames(await change(shop, film.id, { ...binding, license_id: 0 }), ['price_license_binding[0].license_id'])
    // A binding that was stored before licenses were required can be sent back.
    await service.db.updateTable('product_bindings').set({ license_id: null }).where('id', '=', binding.id).execute()
    const kept = await change(shop, film.id, { ...binding, license_id: null, hd: true })
    assert.equal(kept.status, 200, kept.text)
  })

  test('has to be valid', async () => {
    const shop = await service.openShop()
    const [license, price] = [await aLicense(service, shop), await aPrice(service, shop)]
    await endLicense(shop, license.id)
    await endPrice(shop, price.id)
    const answer = await make(shop, { license_id: license.id, price_id: price.id })
    assertBlames(answer, ['price_license_binding[0].license_id', 'price_license_binding[0].price_id'])
    assert.deepEqual(answer.body.errors['price_license_binding[0].price_id'], ['is no longer valid'])
  })

  test('may stay when it has become invalid, as long as the binding does not name it again', async () => {
    const shop = await service.openShop()
    const [license, price] = [await aLicense(service, shop), await aPrice(service, shop)]
    const bound = { license_id: license.id, price_id: price.id, compare_price_id: price.id }
    const product = await aProduct(shop, { price_license_binding: [bound] })
    const [binding] = product.price_license_binding
    await endLicense(shop, license.id)
    await endPrice(shop, price.id)
    // The whole product as it was read, and the binding by its id alone.
    assert.equal((await shop.put(`/api/products/${product.id}.json`, { product })).status, 200)
    assert.equal((await change(shop, product.id, { id: binding.id })).status, 200)
    // Something else of it changes; what has ended stays.
    const other = await aPrice(service, shop)
    const changed = await change(shop, product.id, { ...binding, compare_price_id: other.id, hd: true })
    assert.equal(changed.status, 200, changed.text)
    const second = await change(shop, product.id, binding, { license_id: BUY, price_id: price.id })
    assertBlames(second, ['price_license_binding[0].compare_price_id', 'price_license_binding[1].price_id'])
    // Without its id it is a new one, under terms that have ended.
    assertBlames(await change(shop, product.id, { license_id: license.id, price_id: other.id }), [
      'price_license_binding[0].license_id',
    ])
    assert.deepEqual(
      (await readProduct(shop, product.id)).price_license_binding,
      changed.body.product.price_license_binding,
    )
    await assertPresentedFresh(service, shop, product.id)
  })

  test('may be a general license only while that one is valid', async () => {
    const shop = await service.openShop()
    await endLicense({ companyId: GENERAL }, 12)
    assertBlames(await make(shop, { license_id: 12 }), ['price_license_binding[0].license_id'])
    await inTransaction(service.db, (tx) => updateLicense(tx, { companyId: GENERAL }, '12', { valid: 1 }, now()))
    assert.equal((await make(shop, { license_id: 12 })).status, 201)
  })

  test('has no price, if a binding says so', async () => {
    const shop = await service.openShop()
    const none = { license_id: BUY, price_id: null, compare_price_id: null }
    assert.equal((await make(shop, { license_id: BUY }, none)).status, 201)
  })
})

describe('the check of bindings', () => {
  /** Statements that one create sends, warmed up. */
  async function statementsOf(shop: Shop, bindings: object[] | undefined): Promise<number> {
    const counts: number[] = []
    for (let tries = 0; tries < 4; tries += 1) {
      const start = statementCount()
      const product = { ...WEB_ACCESS, price_license_binding: bindings }
      assert.equal((await shop.post('/api/products.json', { product })).status, 201)
      counts.push(statementCount() - start)
    }
    return Math.min(...counts)
  }

  test('costs one statement, however many there are, and none without any', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const without = await statementsOf(shop, undefined)
    assert.equal(await statementsOf(shop, []), without)
    const one = await statementsOf(shop, [{ license_id: BUY, price_id: price.id }])
    const many = Array.from({ length: 200 }, () => ({
      license_id: RENT,
      price_id: price.id,
      compare_price_id: price.id,
    }))
    // The other statement writes the rows.
    assert.equal(one, without + 2)
    assert.equal(await statementsOf(shop, many), one)
    assert.equal(await statementsOf(shop, [{}]), without + 1)
  })
})
