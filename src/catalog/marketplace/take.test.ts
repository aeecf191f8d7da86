import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import {
  aCategory,
  aLicense,
  anOffer,
  aPrice,
  aProduct,
  assertPresentedFresh,
  BUY,
  eventsOf,
  everything,
  readCategory,
  readProduct,
  usePictureHost,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { changeOffer } from './commands.ts'
import { takeProducts } from './mirrors/commands.ts'

const service = useService()
const host = usePictureHost()

type Market = { owner: Shop; buyer: Shop; marketId: number; films: Wire[] }

/** An owner with some films on offer, and a company that may take them. */
async function aMarket(count = 2): Promise<Market> {
  const [owner, buyer] = [await service.openShop(), await service.openShop()]
  const price = await aPrice(service, owner)
  const films: Wire[] = []
  for (let number = 1; number <= count; number += 1)
    films.push(
      await aProduct(owner, {
        title: `Film ${number}`,
        comment: 'Ask Jane',
        supplier: 'S-77',
        price_license_binding: [{ license_id: BUY, price_id: price.id }],
      }),
    )
  return { owner, buyer, films, marketId: await anOffer(service, owner) }
}

const add = (shop: Shop, marketId: number) => shop.post(`/api/marketplace/${marketId}/add.json`)
const activate = (shop: Shop, marketId: number) => shop.post(`/api/marketplace/${marketId}/activate.json`)

async function take(verb: typeof add, { buyer, marketId }: Market): Promise<Wire> {
  const answer = await verb(buyer, marketId)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function topicsOf(shop: Shop): Promise<string[]> {
  return (await eventsOf(service, shop)).map(({ topic }) => topic)
}

async function counted(shop: Shop): Promise<number[]> {
  const count = (await shop.get('/api/products/count.json')).body.count
  return [count, (await shop.get('/api/products.json?fields=id')).body.products.length]
}

async function percentOf(shop: Shop): Promise<number[]> {
  const rows = await service.db
    .selectFrom('product_mirrors')
    .select('cost_to_licensees_percent')
    .where('company_id', '=', shop.companyId)
    .orderBy('product_key')
    .execute()
  return rows.map(({ cost_to_licensees_percent }) => cost_to_licensees_percent)
}

describe('POST /api/marketplace/{market_id}/add.json', () => {
  test('mirrors every product, hidden, and emits an event for each', async () => {
    const market = await aMarket()
    const { products, added } = await take(add, market)
    assert.equal(added, 2)
    assert.deepEqual(
      products.map(({ title, published }: Wire) => [title, published]),
      [
        ['Film 1', false],
        ['Film 2', false],
      ],
    )
    assert.deepEqual(await counted(market.buyer), [2, 2])
    const events = await eventsOf(service, market.buyer)
    assert.deepEqual(
      events.map(({ topic, data }) => [topic, data.id, data.long_id]),
      products.map(({ id, product_id }: Wire) => ['product/create', String(id), product_id]),
    )
    for (const { id } of products) await assertPresentedFresh(service, market.buyer, id)
  })

  test('gives the mirror its own id and all that a shop shows, but not what is the own business of the owner', async () => {
    const { owner, buyer, marketId } = await aMarket(0)
    const [category, price] = [await aCategory(owner), await aPrice(service, owner)]
    const whole = { ...everything(9, [category.id], price.id, host.url('/cover.png')), groups: [], published: true }
    const original = await aProduct(owner, { ...whole, themes: [{ theme_id: -1 }] })
    await service.runJobs()
    const shown = await readProduct(owner, original.id)
    const [taken] = (await activate(buyer, marketId)).body.products
    const mirror = await readProduct(buyer, taken.product_id)
    assert.notEqual(mirror.id, original.id)
    assert.notEqual(mirror.product_id, original.product_id)
    const own = {
      id: mirror.id,
      product_id: mirror.product_id,
      created_at: mirror.created_at,
      updated_at: mirror.updated_at,
    }
    assert.notEqual(shown.locales[0].email_text, '')
    const locales = shown.locales.map((locale: Wire) => ({ ...locale, email_text: '' }))
    const hidden = { comment: '', supplier: null, attribute_set_id: null, categories: [], themes: [], locales }
    assert.deepEqual(mirror, { ...shown, ...own, ...hidden, mirrored: true })
    // The pictures are those of the owner, from the service itself, and no file was copied.
    const { src } = mirror.preview_pictures[0]
    assert.ok(src.startsWith(`${service.url}/pictures/${owner.companyId}/`), src)
    assert.equal((await fetch(src)).status, 200)
    const pictures = await service.db
      .selectFrom('pictures')
      .where('company_id', '=', buyer.companyId)
      .selectAll()
      .execute()
    assert.deepEqual(pictures, [])
    await assertPresentedFresh(service, buyer, mirror.id)
  })

  test('adds nothing twice, and later only what is new', async () => {
    const market = await aMarket()
    const first = await take(add, market)
    assert.deepEqual(await take(add, market), { ...first, added: 0 })
    assert.deepEqual(await counted(market.buyer), [2, 2])
    assert.equal((await topicsOf(market.buyer)).length, 2)
    const [film] = market.films
    await aProduct(market.owner, { title: 'Film 3', price_license_binding: film.price_license_binding })
    const later = await take(add, market)
    assert.deepEqual([later.added, later.products.length], [1, 3])
  })

  test('adds nothing twice when several add at once', async () => {
    const market = await aMarket(5)
    const answers = await Promise.all([add, activate, add, activate].map((verb) => verb(market.buyer, market.marketId)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.added, 0),
      5,
    )
    assert.deepEqual(await counted(market.buyer), [5, 5])
    const topics = await topicsOf(market.buyer)
    assert.equal(topics.filter((topic) => topic === 'product/create').length, 5)
  })

  // A killed process leaves behind the same as a transaction that is rolled back.
  test('has done nothing when it ends in the middle, and all of it the next time', async () => {
    const market = await aMarket()
    const killed = inTransaction(service.db, async (tx) => {
      await takeProducts(tx, market.buyer, String(market.marketId), true, service.clock.now())
      throw new Error('killed')
    })
    await assert.rejects(killed, /killed/)
    assert.deepEqual(await counted(market.buyer), [0, 0])
    assert.deepEqual(await topicsOf(market.buyer), [])
    assert.equal((await take(add, market)).added, 2)
  })

  test('does it once for one Idempotency-Key', async () => {
    const { buyer, marketId } = await aMarket()
    const send = () => buyer.post(`/api/marketplace/${marketId}/add.json`, undefined, { 'idempotency-key': 'k1' })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status, second.headers.get('idempotent-replayed')], [201, 201, 'true'])
    assert.equal(second.text, first.text)
  })

  test('needs no body, and looks at none', async () => {
    const market = await aMarket(1)
    const json = { 'content-type': 'application/json' }
    for (const body of [undefined, '', '{}', '{"product":{"title":"Mine"}}']) {
      const answer = await market.buyer.post(`/api/marketplace/${market.marketId}/add.json`, body, json)
      assert.equal(answer.status, 201, String(body))
    }
  })

  test('refuses the own entry with a sentence', async () => {
    const { owner, marketId } = await aMarket()
    for (const verb of [add, activate]) {
      const { status, body } = await verb(owner, marketId)
      assert.deepEqual([status, body.code], [422, 'validation_failed'])
      assert.match(body.error, /your own company/)
    }
    assert.deepEqual(await counted(owner), [2, 2])
  })

  test('offers no mirrored product on', async () => {
    const market = await aMarket()
    await take(activate, market)
    const next = await service.openShop()
    const marketId = await anOffer(service, market.buyer)
    assert.deepEqual((await next.get(`/api/marketplace/${marketId}.json`)).body.products, [])
    assert.equal((await add(next, marketId)).body.added, 0)
  })

  test('is agreed for the percentage of that day, until it is done again', async () => {
    const market = await aMarket(1)
    await take(add, market)
    await inTransaction(service.db, (tx) =>
      changeOffer(tx, market.owner, { cost_to_licensees_percent: 90 }, service.clock.now()),
    )
    await service.runJobs()
    assert.deepEqual(await percentOf(market.buyer), [30])
    await take(activate, market)
    assert.deepEqual(await percentOf(market.buyer), [90])
  })
})

describe('POST /api/marketplace/{market_id}/activate.json', () => {
  test('adds and publishes', async () => {
    const market = await aMarket()
    const { products, added } = await take(activate, market)
    assert.equal(added, 2)
    assert.ok(products.every(({ published }: Wire) => published))
    assert.ok((await readProduct(market.buyer, products[0].id)).published)
  })

  test('publishes products that were added before, and emits events', async () => {
    const market = await aMarket(1)
    const [added] = (await take(add, market)).products
    assert.deepEqual(await take(activate, market), { products: [{ ...added, published: true }], added: 0 })
    assert.deepEqual(await topicsOf(market.buyer), ['product/create', 'product/update'])
    await assertPresentedFresh(service, market.buyer, added.id)
    await take(activate, market)
    assert.equal((await topicsOf(market.buyer)).length, 2, 'a second time changes nothing')
  })
})

/** The ids of a list; its count must be the same. */
async function listed(shop: Shop, resource: 'licenses' | 'prices', query = ''): Promise<number[]> {
  const ids = (await shop.get(`/api/${resource}.json${query}`)).body[resource].map(({ id }: Wire) => id)
  assert.equal((await shop.get(`/api/${resource}/count.json${query}`)).body.count, ids.length)
  return ids
}

describe('the licenses and prices of a mirrored product', () => {
  test('can be read and listed by the company that mirrors it, as long as it does, and by no other', async () => {
    const [owner, buyer, stranger] = [await service.openShop(), await service.openShop(), await service.openShop()]
    const license = await aLicense(service, owner)
    const [price, compare, other] = [
      await aPrice(service, owner),
      await aPrice(service, owner),
      await aPrice(service, owner),
    ]
    const unbound = await aLicense(service, owner)
    const binding = { license_id: license.id, price_id: price.id, compare_price_id: compare.id }
    await aProduct(owner, { price_license_binding: [binding] })
    const marketId = await anOffer(service, owner)
    const paths = [`licenses/${license.id}`, `prices/${price.id}`, `prices/${compare.id}`]
    const hidden = [`licenses/${unbound.id}`, `prices/${other.id}`]
    const statuses = (shop: Shop, all: string[]) =>
      Promise.all(all.map(async (path) => (await shop.get(`/api/${path}.json`)).status))
    assert.deepEqual(await statuses(buyer, paths), [404, 404, 404])
    const [mirror] = (await add(buyer, marketId)).body.products
    const [bound] = (await readProduct(buyer, mirror.id)).price_license_binding
    assert.deepEqual({ ...bound, ...binding }, bound)
    for (const path of paths)
      assert.equal((await buyer.get(`/api/${path}.json`)).text, (await owner.get(`/api/${path}.json`)).text)
    assert.deepEqual(await statuses(buyer, hidden), [404, 404])
    assert.deepEqual(await statuses(stranger, paths), [404, 404, 404])
    const own = await aPrice(service, buyer)
    assert.deepEqual(await listed(buyer, 'prices'), [price.id, compare.id, own.id])
    assert.deepEqual(await listed(buyer, 'prices', `?since_id=${price.id}`), [compare.id, own.id])
    assert.deepEqual(await listed(buyer, 'licenses', '?since_id=100'), [license.id])
    assert.ok((await listed(buyer, 'licenses')).includes(license.id))
    const [first] = (await buyer.get('/api/prices.json?limit=1')).body.prices
    assert.equal(first.id, price.id)
    // They are not the buyer's own, so its other products cannot use them.
    const product = { product_type: 1, title: 'Own', price_license_binding: [binding] }
    assert.equal((await buyer.post('/api/products.json', { product })).status, 422)
    await buyer.delete(`/api/products/${mirror.id}.json`)
    assert.deepEqual(await statuses(buyer, paths), [404, 404, 404])
    assert.deepEqual(await listed(buyer, 'prices'), [own.id])
    assert.ok(!(await listed(buyer, 'licenses')).includes(license.id))
  })
})

describe('a mirrored product', () => {
  test('can be shown and hidden by its shop', async () => {
    const market = await aMarket(1)
    const [{ id }] = (await take(add, market)).products
    for (const published of [true, false, false]) {
      const answer = await market.buyer.put(`/api/products/${id}.json`, { product: { published } })
      assert.deepEqual([answer.status, answer.body.product.published], [200, published])
      await assertPresentedFresh(service, market.buyer, id)
    }
    assert.deepEqual(await topicsOf(market.buyer), ['product/create', 'product/update', 'product/update'])
  })

  test('can be sent back as it was read, published or not', async () => {
    const { owner, buyer, marketId } = await aMarket(0)
    const price = await aPrice(service, owner)
    const whole = everything(9, [], price.id, host.url('/cover.png'))
    await aProduct(owner, { ...whole, groups: [], themes: [], published: true })
    await service.runJobs()
    const [{ id }] = (await add(buyer, marketId)).body.products
    const product = await readProduct(buyer, id)
    const answer = await buyer.put(`/api/products/${id}.json`, { product: { ...product, published: true } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.product, { ...product, published: true, updated_at: answer.body.product.updated_at })
  })

  for (const [name, change] of Object.entries({
    'its title': { title: 'Mine' },
    'its title beside publishing': { title: 'Mine', published: true },
    'its comment': { comment: 'Mine' },
    'its price': { price_license_binding: [] },
    'a locale': { locales: [{ language_id: 'en', title: 'Mine' }] },
    'its pictures': { preview_pictures: [{ src: 'https://example.com/mine.png' }] },
    'its themes': { themes: [{ theme_id: -1 }] },
    'its groups': { groups: [{ group_id: 'c1' }] },
    'its release': { published_at: '2031-01-01' },
    'an age rating that it does not have': { tagging: { age: 12 } },
    'the users of its license': { price_license_binding: [{ num_users: 3 }] },
  })) {
    test(`refuses a change of ${name} with 403, and changes nothing`, async () => {
      const market = await aMarket(1)
      const [{ id }] = (await take(add, market)).products
      const before = await readProduct(market.buyer, id)
      const answer = await market.buyer.put(`/api/products/${id}.json`, { product: change })
      assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'])
      assert.deepEqual(await readProduct(market.buyer, id), before)
    })
  }

  test('can be put into a category by the category', async () => {
    const market = await aMarket(1)
    const [{ id, product_id }] = (await take(activate, market)).products
    const category = await aCategory(market.buyer, { entries: [{ product_id }] })
    assert.equal((await readCategory(market.buyer, category.id)).entries[0].product_id, product_id)
    await assertPresentedFresh(service, market.buyer, id)
    await market.owner.put(`/api/products/${market.films[0].id}.json`, { product: { title: 'New' } })
    await service.runJobs()
    const { title, categories } = await readProduct(market.buyer, id)
    assert.deepEqual([title, categories[0].category_id], ['New', category.id])
  })

  test('can be deleted, which leaves the original alone, and be added again', async () => {
    const market = await aMarket(1)
    const [{ id }] = (await take(add, market)).products
    const [film] = market.films
    const before = await readProduct(market.owner, film.id)
    assert.equal((await market.buyer.delete(`/api/products/${id}.json`)).status, 200)
    await service.runJobs()
    assert.deepEqual(await counted(market.buyer), [0, 0])
    assert.deepEqual(await readProduct(market.owner, film.id), before)
    assert.equal((await take(add, market)).added, 1)
  })
})
