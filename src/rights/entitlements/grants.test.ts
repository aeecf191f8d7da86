import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { aSale, ask, contentOf, pass, play, read } from '#test/entitlements.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { aMirroredFilm, cancel, mirrorAll, refund } from '#test/sales.ts'
import { releaseStarted } from './release.commands.ts'

const service = useService()

describe('a sold digital line', () => {
  test('becomes an entitlement for each piece, with a copy of the license', async () => {
    const { shop, license, film, customer, order, content } = await aSale(service, { total_downloads: 3 }, {}, 2)
    assert.equal(content.length, 2)
    const [first] = content
    assert.deepEqual(
      { ...first, id: 0, license_title: 'Rent' },
      {
        id: 0,
        piece: 1,
        product_id: film.product_id,
        product_type: 1,
        title: film.title,
        license_id: license.id,
        license_title: 'Rent',
        hd: false,
        audio_type: null,
        num_users: null,
        terms: 'Yours to keep. 3 downloads.',
        acquired_at: order.created_at,
        starts_at: null,
        first_used_at: null,
        ends_at: null,
        remaining: { downloads: 3, exports: 0, burns: 0, prints: 0, devices: null },
        state: 'active',
        code: null,
        reason: null,
        customer_token: customer.token,
        order_id: order.id,
        line_item_id: order.line_items[0].id,
        test: false,
        revoked_at: null,
        updated_at: order.created_at,
      },
    )
    assert.deepEqual(await read(shop, first.id), first)
    await service.db
      .updateTable('licenses')
      .set({ total_downloads: 0, valid: 0 })
      .where('id', '=', license.id)
      .execute()
    assert.equal((await shop.delete(`/api/products/${film.id}.json`)).status, 200)
    assert.equal((await ask(shop, 'use', first.id, { action: 'download' })).allowed, true)
  })

  test('gives nothing yet if it has a code to redeem, or if it is goods', async () => {
    const { content } = await aSale(service, {}, { generate_codes: true })
    assert.deepEqual(content, [])
  })

  test('cannot be sold once the fixed end of the license has passed', async () => {
    const end = new Date(service.clock.now().getTime() + 3_600_000).toISOString()
    const { shop: opened, film, customer } = await aSale(service, { expiration_date: end })
    const shop = await pass(service, opened, 3600)
    const answer = await shop.post('/api/orders.json', {
      order: { customer_token: customer.token, line_items: [{ product_id: film.product_id }] },
    })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['line_items[0].license_id']])
  })

  test('gives content under a license that also ships a carrier', async () => {
    const { content } = await aSale(service, { type: 3 })
    assert.equal(content.length, 1)
  })

  test('waits until the order is confirmed, and its time begins then', async () => {
    let { shop, customer, order, content } = await aSale(service, { expire_after_acquisition: 2 }, { confirmed: false })
    assert.deepEqual([content[0].state, content[0].code], ['suspended', 'order_not_confirmed'])
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'order_not_confirmed')
    shop = await pass(service, shop, 3 * 3600)
    assert.equal((await shop.put(`/api/orders/${order.id}.json`, { order: { confirmed: true } })).status, 200)
    const [confirmed] = await contentOf(shop, customer)
    assert.equal(confirmed.state, 'active')
    assert.equal((await ask(shop, 'use', content[0].id, play)).allowed, true)
  })

  test('of a product that is ordered in advance starts at its release, also if that is moved', async () => {
    const start = () => inTransaction(service.db, (tx) => releaseStarted(tx, service.clock.now()))
    const at = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString()
    let { shop, film, customer, content } = await aSale(service, {}, {}, 1, { published_at: at(24), pre_sales: true })
    assert.deepEqual([content[0].state, content[0].code], ['not_started', 'not_released'])
    assert.equal((await ask(shop, 'check', content[0].id, play)).code, 'not_released')
    assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { published_at: at(48) } })).status, 200)
    shop = await pass(service, shop, 30 * 3600)
    await start()
    assert.equal((await contentOf(shop, customer))[0].state, 'not_started')
    shop = await pass(service, shop, 20 * 3600)
    assert.equal((await ask(shop, 'check', content[0].id, play)).allowed, true)
    await start()
    assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { published_at: at(99) } })).status, 200)
    assert.equal((await contentOf(shop, customer))[0].state, 'active')
  })

  test('keeps its date if the product is hidden without one, and has begun once it was used', async () => {
    const at = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString()
    const { shop, film, content } = await aSale(service, {}, {}, 1, { published_at: at(24), pre_sales: true })
    const put = (product: object) => shop.put(`/api/products/${film.id}.json`, { product })
    await put({ published: false, published_at: null })
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'not_released')
    await put({ published: true })
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'allowed')
    await put({ published_at: at(99) })
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'allowed')
  })
})

describe('a collection', () => {
  async function aCollection(type: number) {
    const shop = await service.openShop()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 999 }] })
    const license = await aLicense(service, shop, { total_downloads: 2 })
    const [film, book] = [
      await aProduct(shop, { title: 'Film' }),
      await aProduct(shop, { title: 'Book', product_type: 16 }),
    ]
    const bundle = await aProduct(shop, {
      title: 'Both',
      product_type: type,
      included_products: [{ product_id: film.product_id }, { product_id: book.product_id }],
      price_license_binding: [{ license_id: license.id, price_id: price.id }],
    })
    return { shop, film, book, bundle, customer: await aBuyer(shop) }
  }

  test('gives each of its parts, and a refund of one piece takes its parts', async () => {
    const { shop, film, book, bundle, customer } = await aCollection(8)
    assert.deepEqual(
      bundle.included_products.map(({ product_id }: Wire) => product_id),
      [film.product_id, book.product_id],
    )
    const order = await anOrder(shop, customer, [{ product_id: bundle.product_id, quantity: 2 }])
    const content = await contentOf(shop, customer)
    assert.deepEqual(
      content.map(({ title, product_type, product_id }) => [title, product_type, product_id]),
      [...Array(2).fill(['Film', 1, film.product_id]), ...Array(2).fill(['Book', 16, book.product_id])],
    )
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 1 }] })
    const left = (await contentOf(shop, customer)).filter(({ state }) => state === 'active')
    assert.deepEqual(
      left.map(({ title, piece }) => [title, piece]),
      [
        ['Film', 1],
        ['Book', 1],
      ],
    )
  })

  test('of which one is chosen gives the chosen one', async () => {
    const { shop, film, book, bundle, customer } = await aCollection(21)
    const line = (chosen?: string) => ({
      order: {
        customer_token: customer.token,
        line_items: [{ product_id: bundle.product_id, chosen_product_id: chosen }],
      },
    })
    const refused = await shop.post('/api/orders.json', line())
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['line_items[0].chosen_product_id']])
    assert.equal((await shop.post('/api/orders.json', line(bundle.product_id))).status, 422)
    const sold = await shop.post('/api/orders.json', line(book.product_id.toLowerCase()))
    assert.equal(sold.body.order.line_items[0].chosen_product_id, book.product_id)
    assert.deepEqual(
      (await contentOf(shop, customer)).map(({ product_id }) => product_id),
      [book.product_id],
    )
    assert.notEqual(film.product_id, book.product_id)
  })

  test('includes digital products of its company only', async () => {
    const { shop, bundle, film } = await aCollection(8)
    const stranger = await service.openShop()
    const [theirs, goods] = [await aProduct(stranger), await aProduct(shop, { product_type: 6 })]
    // Sold in a collection, the owner of a mirrored film would get nothing for it.
    const mirror = await aMirroredFilm(service, shop)
    for (const product of [theirs, goods, bundle, mirror]) {
      const answer = await shop.put(`/api/products/${bundle.id}.json`, {
        product: { included_products: [{ product_id: product.product_id }] },
      })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['included_products[0].product_id']])
    }
    const onFilm = await shop.put(`/api/products/${film.id}.json`, {
      product: { included_products: [{ product_id: bundle.product_id }] },
    })
    assert.equal(onFilm.status, 422)
  })
})

describe('what was sold is taken back', () => {
  test('by a refund, piece by piece, those that nobody has used first', async () => {
    const { shop, customer, order, content } = await aSale(service, {}, {}, 3)
    await ask(shop, 'use', content[2].id, play)
    const [line] = order.line_items
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: line.id, quantity: 2 }] })
    const after = await contentOf(shop, customer)
    assert.deepEqual(
      after.map(({ state, code }) => [state, code]),
      [
        ['revoked', 'refunded'],
        ['revoked', 'refunded'],
        ['active', null],
      ],
    )
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'refunded')
    await refund(shop, order.id, { all: true })
    assert.equal((await read(shop, content[2].id)).state, 'revoked')
  })

  test('by a cancellation, and by the owner, who can give it back', async () => {
    const { shop, order, content } = await aSale(service, {}, {}, 2)
    const [one] = content
    const revoked = await shop.post(`/api/entitlements/${one.id}/revoke.json`)
    assert.deepEqual([revoked.status, revoked.body.entitlement.code], [200, 'withdrawn'])
    assert.equal((await ask(shop, 'check', one.id, play)).code, 'withdrawn')
    const restored = await shop.post(`/api/entitlements/${one.id}/restore.json`)
    assert.deepEqual([restored.status, restored.body.entitlement.state], [200, 'active'])
    assert.equal((await ask(shop, 'check', one.id, play)).allowed, true)
    await cancel(shop, order.id)
    assert.equal((await ask(shop, 'check', one.id, play)).code, 'cancelled')
  })

  test('once, if the owner has revoked a piece by hand and then refunds it', async () => {
    const { shop, customer, order, content } = await aSale(service, {}, {}, 2)
    await shop.post(`/api/entitlements/${content[0].id}/revoke.json`)
    const [line] = order.line_items
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: line.id, quantity: 1 }] })
    assert.deepEqual(
      (await contentOf(shop, customer)).map(({ code }) => code),
      ['refunded', null],
    )
  })
})

describe('content of another company', () => {
  // Its owner gets a share of every sale. Whatever brings no share must bring no content.
  test('is not given in a test order, and not given back after its refund', async () => {
    const [owner, shop] = [await service.openShop(), await service.openShop()]
    await aFilm(service, owner)
    const [mirror] = await mirrorAll(service, owner, shop)
    const customer = await aBuyer(shop)
    const line = { product_id: mirror.product_id, quantity: 1 }
    await anOrder(shop, customer, [line], { test: true })
    assert.deepEqual(await contentOf(shop, customer), [])
    const order = await anOrder(shop, customer, [line])
    const [{ id }] = await contentOf(shop, customer)
    await shop.post(`/api/entitlements/${id}/revoke.json`)
    assert.equal((await shop.post(`/api/entitlements/${id}/restore.json`)).status, 200)
    await cancel(shop, order.id)
    const refused = await shop.post(`/api/entitlements/${id}/restore.json`)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'restore_owes_owner'])
    assert.equal((await read(shop, id)).state, 'revoked')
  })
})
