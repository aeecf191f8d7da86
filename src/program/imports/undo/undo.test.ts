import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { updateProduct } from '#catalog/products/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { LEASE_SECONDS } from '#platform/jobs/queue.ts'
import { aProduct, eventsOf, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aCsvImport, importsOf, pathOf } from '#test/imports.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { deleteOldImports } from '../commands.ts'

const service = useService()
const { work, undo, read, titles } = importsOf(service)

async function imported(shop: Shop, content: string): Promise<Wire> {
  const file = await work(shop, await aCsvImport(service, shop, content), '/run')
  assert.equal(file.state, 'imported', JSON.stringify(file.report ?? file.problem))
  return file
}

async function preview(shop: Shop, file: Wire): Promise<Wire> {
  const { status, body, text } = await shop.get(pathOf(file, '/undo_preview'))
  assert.equal(status, 200, text)
  return body.undo
}

const counts = ({ removed, restored, kept, gone }: Wire) => [removed, restored, kept, gone]

/** Everything that imports write, without the times of the last change. Prices are never deleted, but taken out of use. */
async function everything(shop: Shop): Promise<unknown> {
  const lists = await Promise.all(
    ['products', 'categories', 'customers', 'prices'].map(async (name) => {
      const { body } = await shop.get(`/api/${name}.json?limit=250`)
      return body[name]
        .filter(({ valid }: Wire) => name !== 'prices' || valid === 1)
        .map(({ updated_at: _updated, modified_at: _modified, ...thing }: Wire) => thing)
    }),
  )
  return JSON.parse(JSON.stringify(lists))
}

/** Numbers that look random, and are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const COLUMNS: Record<string, (random: (below: number) => number) => string> = {
  title: (random) => `Title ${random(50)}`,
  price: (random) => ['', '9.90', '12,50', '0', `${random(90)}.99`][random(5)] ?? '',
  compare_price: (random) => ['', '99.00'][random(2)] ?? '',
  category: (random) => ['', 'Films', 'Films > Drama', `Books > B${random(4)}|Films`][random(4)] ?? '',
  description: (random) => `<p>Text ${random(9)}</p>`,
  seo_title: (random) => ['', `Seen ${random(9)}`][random(2)] ?? '',
  published: (random) => ['', 'yes', 'no'][random(3)] ?? '',
  weight: (random) => ['', String(random(900))][random(2)] ?? '',
  items_in_stock: (random) => ['', String(random(40))][random(2)] ?? '',
  gtin: (random) => ['', String(4_000_000_000_000 + random(999))][random(2)] ?? '',
  tax_class: (random) => ['', 'reduced', 'zero'][random(3)] ?? '',
  supplier: (random) => ['', `S${random(5)}`][random(2)] ?? '',
  year: (random) => ['', String(1990 + random(30))][random(2)] ?? '',
  comment: (random) => ['', 'noted'][random(2)] ?? '',
  language: (random) => ['', 'de', 'en'][random(3)] ?? '',
}

function randomProducts(random: (below: number) => number): string {
  const columns = Object.keys(COLUMNS).filter((name) => name === 'title' || random(3) > 0)
  const handles = new Set(Array.from({ length: 2 + random(20) }, () => `h${random(30)}`))
  const rows = [...handles].map((handle) => [handle, ...columns.map((name) => COLUMNS[name]?.(random) ?? '')].join(';'))
  return [['handle', ...columns].join(';'), ...rows, ''].join('\n')
}

function randomCustomers(random: (below: number) => number): string {
  const emails = new Set(Array.from({ length: 2 + random(8) }, () => `c${random(12)}@example.com`))
  const rows = [...emails].map((email) =>
    [email, `N${random(9)}`, ['', 'de', 'fr'][random(3)], ['', 'Berlin', 'Wien'][random(3)], `n${random(3)}`].join(','),
  )
  return ['email,first_name,language,city,note', ...rows, ''].join('\n')
}

function randomPrices(random: (below: number) => number): string {
  const rows = Array.from({ length: 1 + random(5) }, (_, index) => `P${index + random(2) * 5},${random(90)}.50`)
  return ['title,EUR', ...rows, ''].join('\n')
}

describe('undoing an import', () => {
  test('of any file gives back what was there before', async () => {
    const shop = await service.openShop()
    const random = createRandom(20_261_118)
    const kinds = [randomProducts, randomProducts, randomCustomers, randomPrices]
    for (let round = 0; round < 16; round += 1) {
      const content = kinds[round % kinds.length]?.(random) ?? ''
      const before = await everything(shop)
      const file = await imported(shop, content)
      const { created, changed } = file.report.counts
      const promised = await preview(shop, file)
      const undone = await undo(shop, file)
      assert.deepEqual(undone.undo, promised, `round ${round}`)
      assert.deepEqual([undone.state, undone.undo.lines], ['undone', []], `round ${round}:\n${content}`)
      assert.ok(undone.undo.removed >= created && undone.undo.restored === changed)
      assert.deepEqual(await everything(shop), before, `round ${round}:\n${content}`)
      // Every other file stays, so that later ones change something.
      if (round % 2 === 0) await imported(shop, content)
    }
  })

  test('gives back pictures that the import has replaced', async () => {
    const shop = await service.openShop()
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const headers = { 'content-type': 'image/png' }
    const { picture } = (await service.call('POST', '/api/pictures.json', { token: shop.token, body: bytes, headers }))
      .body
    const product = await aProduct(shop, { product_type: 6, images: [{ src: picture.url }] })
    const csv = `product_id,title,image\n${product.product_id},Changed,http://127.0.0.1:1/none.png\n`
    const file = await imported(shop, csv)
    const changed = await readProduct(shop, product.id)
    assert.deepEqual([changed.title, changed.images[0].src], ['Changed', 'http://127.0.0.1:1/none.png'])
    assert.deepEqual(counts((await undo(shop, file)).undo), [0, 1, 0, 0])
    const { updated_at: _now, ...after } = await readProduct(shop, product.id)
    const { updated_at: _then, ...before } = product
    assert.deepEqual(after, before)
    assert.deepEqual(Buffer.from(await (await fetch(picture.url)).arrayBuffer()), bytes)
  })

  test('leaves what was sold or changed since, and says so line by line', async () => {
    const shop = await service.openShop()
    await imported(shop, 'handle,title,price,weight\nold,Old,5,100\n')
    const rows = ['sold,Sold,5,1', 'edited,Edited,5,2', 'same,Same,5,3', 'gone,Gone,7,4', 'old,Newer,9,200']
    const file = await imported(shop, ['handle,title,price,weight', ...rows, ''].join('\n'))
    const { products } = (await shop.get('/api/products.json')).body
    const named = (title: string) => products.find((product: Wire) => product.title === title)
    await anOrder(shop, await aBuyer(shop), [named('Sold')])
    await shop.put(`/api/products/${named('Edited').id}.json`, { product: { comment: 'By hand' } })
    await shop.put(`/api/products/${named('Newer').id}.json`, { product: { weight: 250 } })
    await shop.delete(`/api/products/${named('Gone').id}.json`)
    const promised = await preview(shop, file)
    const lines = [
      { line: 2, kind: 'products', name: 'Sold', reason: 'sold', fields: [] },
      { line: 3, kind: 'products', name: 'Edited', reason: 'changed', fields: [] },
      { line: 6, kind: 'products', name: 'Newer', reason: 'changed', fields: ['weight'] },
    ]
    assert.deepEqual(promised.lines, lines)
    const done = await undo(shop, file)
    assert.deepEqual(done.undo, promised)
    // The price of 7 and that of 9 were new; that of 5 was there.
    assert.deepEqual(counts(done.undo), [3, 1, 2, 1])
    assert.deepEqual((await titles(shop)).sort(), ['Edited', 'Old', 'Sold'])
    const old = (await shop.get('/api/products.json?title=Old')).body.products.find(
      ({ title }: Wire) => title === 'Old',
    )
    assert.equal(old.weight, 250)
  })

  test('tells apps and the audit log, and leaves customers who have bought', async () => {
    const shop = await service.openShop()
    const file = await imported(shop, 'email,first_name\njane@example.com,Jane\nbert@example.com,Bert\n')
    const goods = await imported(shop, 'handle,title\na,A\n')
    const { customers } = (await shop.get('/api/customers.json')).body
    const jane = customers.find(({ email }: Wire) => email === 'jane@example.com')
    await anOrder(shop, jane, [await aFilm(service, shop)])
    const { undo: report } = await undo(shop, file)
    assert.deepEqual(report.lines, [
      { line: 2, kind: 'customers', name: 'jane@example.com', reason: 'sold', fields: [] },
    ])
    await undo(shop, goods)
    const topics = (await eventsOf(service, shop)).map(({ topic }) => topic)
    assert.equal(topics.filter((topic) => topic === 'product/delete').length, 1)
    const entries = await service.db
      .selectFrom('audit_entries')
      .select(['subject', 'user_id', 'app_id'])
      .where('company_id', '=', shop.companyId)
      .where('action', '=', 'import undone')
      .orderBy('id')
      .execute()
    assert.deepEqual(entries, [
      { subject: 'import.csv: 1 removed, 0 restored, 1 kept', user_id: shop.userId, app_id: shop.appId },
      { subject: 'import.csv: 1 removed, 0 restored, 0 kept', user_id: shop.userId, app_id: shop.appId },
    ])
  })

  test('twice at once undoes it once', async () => {
    const shop = await service.openShop()
    const file = await imported(shop, 'handle,title\na,A\nb,B\n')
    const answers = await Promise.all([shop.post(pathOf(file, '/undo')), shop.post(pathOf(file, '/undo'))])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    await Promise.all([service.runJobs(), service.runJobs()])
    const { state, undo: report, done, total } = await read(shop, file)
    assert.deepEqual([state, counts(report), done, total], ['undone', [2, 0, 0, 0], 2, 2])
    assert.equal((await undo(shop, file)).state, 'undone')
    const deleted = (await eventsOf(service, shop)).filter(({ topic }) => topic === 'product/delete')
    assert.equal(deleted.length, 2)
  })
})

/** Holds a product, and does something once another transaction waits for it. */
async function whileHeld(shop: Shop, title: string, then: (tx: Tx, id: number, pid: number) => Promise<void>) {
  const held = Promise.withResolvers<void>()
  const holding = inTransaction(service.db, async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from products
      where company_id = ${shop.companyId} and title = ${title} for update`.execute(tx)
    held.resolve()
    const blocked = sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    for (;;) {
      const [waiting] = (await blocked.execute(service.db)).rows
      if (waiting !== undefined) return then(tx, rows[0]?.id ?? 0, waiting.pid)
    }
  })
  await held.promise
  return holding
}

describe('undoing an import, meanwhile', () => {
  test('somebody changes a product: it stays as they have left it', async () => {
    const shop = await service.openShop()
    const file = await imported(shop, 'handle,title\na,A\nb,B\nc,C\n')
    await shop.post(pathOf(file, '/undo'))
    const change = whileHeld(shop, 'B', async (tx, id) => {
      await updateProduct(tx, shop, String(id), { comment: 'By hand' }, nowInSeconds(service.clock))
    })
    await Promise.all([change, service.runJobs()])
    const { state, undo: report } = await read(shop, file)
    assert.deepEqual([state, counts(report), await titles(shop)], ['undone', [2, 0, 1, 0], ['B']])
  })

  test('the worker is killed: another one does the rest, and nothing twice', async () => {
    const shop = await service.openShop()
    const rows = Array.from({ length: 60 }, (_, index) => `h${index},T${index}\n`).join('')
    const file = await imported(shop, `handle,title\n${rows}`)
    await shop.post(pathOf(file, '/undo'))
    const kill = whileHeld(shop, 'T20', async (_tx, _id, pid) => {
      await sql`select pg_terminate_backend(${pid})`.execute(service.db)
    })
    await Promise.all([kill, service.runJobs()])
    const halfway = await read(shop, file)
    assert.deepEqual([halfway.state, halfway.done > 0 && halfway.done < 60], ['undoing', true])
    assert.equal((await titles(shop)).length, 60 - halfway.done)
    for (const answer of [await shop.delete(pathOf(file)), await shop.put(pathOf(file), { import: {} })])
      assert.deepEqual([answer.status, answer.body.reason], [409, 'import_under_way'])
    service.clock.advance(LEASE_SECONDS + 1)
    await service.runJobs()
    const { state, done, undo: report } = await read(shop, file)
    assert.deepEqual([state, done, counts(report), await titles(shop)], ['undone', 60, [60, 0, 0, 0], []])
    const deleted = (await eventsOf(service, shop)).filter(({ topic }) => topic === 'product/delete')
    assert.equal(deleted.length, 60)
  })
})

describe('an import', () => {
  test('can be undone for a day, and is kept that long', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop)
    const early = await shop.post(pathOf(file, '/undo'))
    assert.deepEqual([early.status, early.body.reason], [409, 'import_undo_over'])
    const HOUR = 3_600_000
    const done = await work(shop, file, '/run')
    const [until, since] = [done.undo_until, done.imported_at].map((time) => new Date(`${time}Z`).getTime())
    assert.equal((until ?? 0) - (since ?? 0), 24 * HOUR)
    /** Makes the file as old, and its import as long ago. */
    const age = async (hours: number, importedHours: number) => {
      const now = nowInSeconds(service.clock).getTime()
      await service.db
        .updateTable('imports')
        .set({ created_at: new Date(now - hours * HOUR), imported_at: new Date(now - importedHours * HOUR) })
        .where('company_id', '=', shop.companyId)
        .execute()
      await inBatches(service.db, (tx) => deleteOldImports(tx, nowInSeconds(service.clock)))
    }
    // It was imported just before it would have been deleted.
    await age(92, 23)
    assert.deepEqual(counts(await preview(shop, file)), [1, 0, 0, 0])
    await age(50, 25)
    assert.deepEqual(counts(await preview(shop, file)), [0, 0, 0, 0])
    const late = await shop.post(pathOf(file, '/undo'))
    assert.deepEqual([late.status, late.body.reason], [409, 'import_undo_over'])
    await age(73, 25)
    assert.equal((await shop.get(pathOf(file))).status, 404)
    assert.deepEqual(await titles(shop), ['A'])
  })

  test('is undone by those who may import, and by nobody else', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const file = await imported(shop, 'email\njane@example.com\n')
    const app = await shop.withScopes('products')
    for (const call of [app.get(pathOf(file, '/undo_preview')), app.post(pathOf(file, '/undo'))]) {
      const { status, body } = await call
      assert.deepEqual([status, body.reason], [403, 'scope_missing'])
    }
    for (const call of [stranger.get(pathOf(file, '/undo_preview')), stranger.post(pathOf(file, '/undo'))])
      assert.equal((await call).status, 404)
  })
})
