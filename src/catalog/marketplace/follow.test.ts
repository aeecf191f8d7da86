import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { invalidatePrice } from '#catalog/prices/commands.ts'
import { updateProduct } from '#catalog/products/commands.ts'
import { readHiddenReasons } from '#catalog/products/lists/appearance.queries.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { rebuild } from '#program/rebuild.ts'
import {
  aCategory,
  aLicense,
  anOffer,
  aPrice,
  aProduct,
  assertPresentedFresh,
  eventsOf,
  readProduct,
  storedDocument,
  usePictureHost,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { changeOffer, withdrawOffer } from './commands.ts'
import { followChanges } from './mirrors/commands.ts'

const service = useService()
const host = usePictureHost()
const THEME = 1
const now = () => service.clock.now()

type Pair = { owner: Shop; buyer: Shop; film: Wire; mirror: Wire; marketId: number; price: Wire }

/** A film and its mirror, published in both shops. */
async function aPair(attributes: object = {}): Promise<Pair> {
  const [owner, buyer] = [await service.openShop(), await service.openShop()]
  const [price, license] = [await aPrice(service, owner), await aLicense(service, owner)]
  const binding = { license_id: license.id, price_id: price.id }
  const film = await aProduct(owner, { price_license_binding: [binding], ...attributes })
  const marketId = await anOffer(service, owner)
  const [mirror] = (await buyer.post(`/api/marketplace/${marketId}/activate.json`)).body.products
  return { owner, buyer, film, mirror, marketId, price }
}

const change = ({ owner, film }: Pair, product: object) => owner.put(`/api/products/${film.id}.json`, { product })

async function stateOf({ buyer, mirror }: Pair): Promise<{ published: boolean; valid: boolean }> {
  const { published, valid } = await readProduct(buyer, mirror.id)
  return { published, valid }
}

async function isOnSale({ buyer, mirror }: Pair): Promise<boolean> {
  const reasons = await readHiddenReasons(service.db, buyer.companyId, [mirror.id], THEME, now())
  assert.ok(reasons.has(mirror.id))
  return reasons.get(mirror.id) === null
}

async function waiting({ owner }: Pair): Promise<number> {
  const rows = await service.db
    .selectFrom('original_changes')
    .select('original_key')
    .where('company_id', '=', owner.companyId)
    .execute()
  return rows.length
}

/** Does any transaction wait for a row that another one has locked? */
async function somebodyWaits(): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(service.db)
  return rows[0]?.waits === true
}

async function updatesOf({ buyer }: Pair): Promise<number> {
  return (await eventsOf(service, buyer)).filter(({ topic }) => topic === 'product/update').length
}

describe('a mirror follows its original', () => {
  test('in its texts, terms and pictures, and emits an event', async () => {
    const pair = await aPair()
    const price = await aPrice(service, pair.owner)
    const [binding] = pair.film.price_license_binding
    await change(pair, {
      title: 'New',
      locales: [{ language_id: 'de', title: 'Neu' }],
      preview_pictures: [{ src: host.url('/new.png') }],
      price_license_binding: [{ ...binding, price_id: price.id }],
    })
    await service.runJobs()
    const [original, mirror] = [
      await readProduct(pair.owner, pair.film.id),
      await readProduct(pair.buyer, pair.mirror.id),
    ]
    for (const name of ['title', 'locales', 'preview_pictures', 'price_license_binding'])
      assert.deepEqual(mirror[name], original[name], name)
    assert.match(mirror.preview_pictures[0].src, new RegExp(`/pictures/${pair.owner.companyId}/`))
    await assertPresentedFresh(service, pair.buyer, pair.mirror.id)
    assert.equal(await waiting(pair), 0)
    assert.ok((await updatesOf(pair)) > 0)
  })

  test('once, however often it changed, and not at all where nothing shows', async () => {
    const pair = await aPair()
    for (const title of ['One', 'Two', 'Three']) await change(pair, { title })
    assert.equal(await waiting(pair), 1)
    const jobs = await service.db
      .selectFrom('jobs')
      .select('id')
      .where('company_id', '=', pair.owner.companyId)
      .execute()
    assert.equal(jobs.length, 1)
    await service.runJobs()
    assert.equal((await readProduct(pair.buyer, pair.mirror.id)).title, 'Three')
    assert.equal(await updatesOf(pair), 1)
    await change(pair, { comment: 'Nobody else sees this' })
    await service.runJobs()
    assert.deepEqual([await waiting(pair), await updatesOf(pair)], [0, 1])
  })

  test('in every shop that has one', async () => {
    const pair = await aPair()
    const others = await Promise.all([1, 2, 3].map(() => service.openShop()))
    const mirrors = await Promise.all(
      others.map(async (shop) => (await shop.post(`/api/marketplace/${pair.marketId}/add.json`)).body.products[0]),
    )
    await change(pair, { title: 'New' })
    await service.runJobs()
    for (const [index, shop] of others.entries()) {
      const { title, published } = await readProduct(shop, mirrors[index].id)
      assert.deepEqual([title, published], ['New', false])
    }
  })

  // A change that commits while an earlier change of the same product is processed must not be lost.
  test('also when it changes while its mirrors follow', async () => {
    const pair = await aPair()
    await change(pair, { title: 'First' })
    const changing = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = inTransaction(service.db, async (tx) => {
      const caller = { ...pair.owner, scopes: [] } as unknown as Caller
      await updateProduct(tx, caller, String(pair.film.id), { title: 'Second' }, now())
      changing.resolve()
      await mayCommit.promise
    })
    await changing.promise
    let followed = false
    const following = inTransaction(service.db, (tx) => followChanges(tx, pair.owner.companyId, now())).finally(() => {
      followed = true
    })
    while (!followed && !(await somebodyWaits())) await new Promise(setImmediate)
    const waited = !followed
    mayCommit.resolve()
    await Promise.all([slow, following])
    assert.ok(waited, 'for the change that is under way')
    await service.runJobs()
    assert.equal((await readProduct(pair.buyer, pair.mirror.id)).title, 'Second')
    assert.equal(await waiting(pair), 0)
  })

  test('in the end, even if owner, buyer and worker act at once', async () => {
    const pair = await aPair()
    const market = `/api/marketplace/${pair.marketId}`
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        change(pair, { title: `Title ${round}` }),
        pair.buyer.post(`${market}/activate.json`),
        change(pair, { version: `Version ${round}` }),
        pair.buyer.put(`/api/products/${pair.mirror.id}.json`, { product: { published: round % 2 === 0 } }),
        pair.buyer.post(`${market}/add.json`),
        service.runJobs(),
      ])
      for (const answer of answers) if (answer !== undefined) assert.ok(answer.status < 300, answer.text)
      await service.runJobs()
      const [original, mirror] = [
        await readProduct(pair.owner, pair.film.id),
        await readProduct(pair.buyer, pair.mirror.id),
      ]
      assert.deepEqual([mirror.title, mirror.version], [original.title, original.version])
      await assertPresentedFresh(service, pair.buyer, pair.mirror.id)
    }
    assert.equal((await pair.buyer.get('/api/products/count.json')).body.count, 1)
  })

  test('is held back while the original is hidden, and comes back as it was', async () => {
    const pair = await aPair()
    await change(pair, { published: false })
    await service.runJobs()
    assert.deepEqual(await stateOf(pair), { published: true, valid: false })
    assert.equal(await isOnSale(pair), false)
    await change(pair, { published: true })
    await service.runJobs()
    assert.deepEqual(await stateOf(pair), { published: true, valid: true })
    assert.equal(await isOnSale(pair), true)
  })

  test('is held back when it leaves the offered categories or they are disabled', async () => {
    const pair = await aPair()
    const category = await aCategory(pair.owner)
    const categories = [{ category_id: category.id }]
    await inTransaction(service.db, (tx) => changeOffer(tx, pair.owner, { category_ids: [category.id] }, now()))
    await service.runJobs()
    assert.equal((await stateOf(pair)).valid, false)
    await change(pair, { categories })
    await service.runJobs()
    assert.equal((await stateOf(pair)).valid, true)
    await pair.owner.put(`/api/categories/${category.id}.json`, { category: { enabled: false } })
    await service.runJobs()
    assert.equal((await stateOf(pair)).valid, false)
    await pair.owner.put(`/api/categories/${category.id}.json`, { category: { enabled: true } })
    await service.runJobs()
    assert.equal((await stateOf(pair)).valid, true)
    await pair.owner.delete(`/api/categories/${category.id}.json`)
    await service.runJobs()
    assert.equal((await stateOf(pair)).valid, false)
  })

  test('is off sale at once when its price is taken out of use', async () => {
    const pair = await aPair()
    assert.equal(await isOnSale(pair), true)
    await inTransaction(service.db, (tx) => invalidatePrice(tx, pair.owner, String(pair.price.id), now()))
    assert.equal(await isOnSale(pair), false)
  })

  test('ends when the original is deleted, keeps its texts, and cannot be shown again', async () => {
    const pair = await aPair({ preview_pictures: [{ src: host.url('/gone.png') }] })
    await service.runJobs()
    await pair.owner.delete(`/api/products/${pair.film.id}.json`)
    await service.runJobs()
    assert.deepEqual(await stateOf(pair), { published: false, valid: false })
    assert.equal(await isOnSale(pair), false)
    const { title, preview_pictures } = await readProduct(pair.buyer, pair.mirror.id)
    assert.deepEqual([title, preview_pictures], ['Film', []])
    await assertPresentedFresh(service, pair.buyer, pair.mirror.id)
    const shown = await pair.buyer.put(`/api/products/${pair.mirror.id}.json`, { product: { published: true } })
    assert.deepEqual([shown.status, shown.body.code], [409, 'conflict'])
    assert.equal((await pair.buyer.delete(`/api/products/${pair.mirror.id}.json`)).status, 200)
  })

  test('ends when the entry is withdrawn, and waits to be activated when there is another', async () => {
    const pair = await aPair()
    await inTransaction(service.db, (tx) => withdrawOffer(tx, pair.owner, now()))
    await service.runJobs()
    assert.deepEqual(await stateOf(pair), { published: false, valid: false })
    const marketId = await anOffer(service, pair.owner, { cost_to_licensees_percent: 90 })
    await service.runJobs()
    assert.deepEqual(await stateOf(pair), { published: false, valid: false })
    const { products, added } = (await pair.buyer.post(`/api/marketplace/${marketId}/add.json`)).body
    assert.deepEqual([products[0].id, added], [pair.mirror.id, 0])
    assert.deepEqual(await stateOf(pair), { published: false, valid: true })
    await pair.buyer.post(`/api/marketplace/${marketId}/activate.json`)
    assert.deepEqual(await stateOf(pair), { published: true, valid: true })
  })

  test('has its document rewritten by a rebuild', async () => {
    const pair = await aPair({ preview_pictures: [{ src: host.url('/cover.png') }] })
    await service.runJobs()
    const stored = await storedDocument(service, pair.buyer, pair.mirror.id)
    await service.db.updateTable('products').set({ document: '{}' }).where('id', '=', pair.mirror.id).execute()
    await rebuild(service.db)
    assert.equal(await storedDocument(service, pair.buyer, pair.mirror.id), stored)
    // And follows what no job has followed yet.
    await change(pair, { title: 'Late' })
    await rebuild(service.db)
    assert.equal((await readProduct(pair.buyer, pair.mirror.id)).title, 'Late')
    assert.equal(await waiting(pair), 0)
  })
})

describe('any change of an original', () => {
  const text = fc.constantFrom('Home', 'Füm 🎬', '<b>&amp;</b>')
  const picture = fc.constantFrom('/a.png', '/b.png', '/missing.png')
  const body = fc.record(
    {
      title: text,
      version: text,
      published: fc.boolean(),
      published_at: fc.constantFrom(null, '2031-01-01T12:00:00'),
      runtime: fc.option(fc.nat(9999)),
      chapters: fc.array(fc.record({ name: text, runtime: fc.nat(99) }), { maxLength: 2 }),
      groups: fc.constantFrom([], [{ group_id: 'c1' }]),
      themes: fc.constantFrom([], [{ theme_id: -1 }], [{ theme_id: 1 }]),
      tagging: fc.constantFrom(null, { year: 2024 }),
      tagging_genre: fc.array(fc.record({ value: text }), { maxLength: 2 }),
      price_license_binding: fc.array(fc.record({ license_id: fc.constantFrom(1, 2), hd: fc.boolean() }), {
        maxLength: 2,
      }),
      locales: fc.array(fc.record({ language_id: fc.constantFrom('en', 'de'), title: text, picture }), {
        maxLength: 2,
      }),
      images: fc.array(fc.record({ picture }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  const withAddresses = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_name, entry) =>
      entry?.picture === undefined ? entry : { ...entry, picture: undefined, src: host.url(entry.picture) },
    )

  test('its mirror is stored as it is presented, and shows the same', async () => {
    const pair = await aPair({ product_type: 9 })
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 3 }), async (bodies) => {
        for (const entry of bodies) assert.equal((await change(pair, withAddresses(entry) as object)).status, 200)
        await service.runJobs()
        await assertPresentedFresh(service, pair.buyer, pair.mirror.id)
        const [original, mirror] = [
          await readProduct(pair.owner, pair.film.id),
          await readProduct(pair.buyer, pair.mirror.id),
        ]
        for (const name of Object.keys(bodies[0] ?? {}).filter(
          (name) => !['published', 'groups', 'themes'].includes(name),
        ))
          assert.deepEqual(mirror[name], original[name], name)
        assert.deepEqual([mirror.published, mirror.groups, mirror.themes], [true, [], []])
      }),
      { numRuns: 8 },
    )
  })
})
