import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { LEASE_SECONDS } from '#platform/jobs/queue.ts'
import { ownerPage } from '#test/admin.ts'
import { aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aCsvImport, importsOf, pathOf } from '#test/imports.ts'
import { claimDue } from '#test/jobs.ts'
import { aUser } from '#test/users.ts'
import { RUN_IMPORT } from './jobs.ts'

const service = useService()
const { work, read, titles, upload } = importsOf(service)

describe('an import', () => {
  test('of a file with a mistake changes nothing, and says what is wrong', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, 'handle,title,price\na,A,1\nb,B,much\n')
    const { state, report } = await work(shop, file, '/run')
    assert.deepEqual([state, report.counts.refused], ['checked', 1])
    assert.deepEqual(await titles(shop), [])
  })

  test('is put on record, with its author', async () => {
    const shop = await service.openShop()
    await work(shop, await aCsvImport(service, shop), '/run')
    const entries = await service.db
      .selectFrom('audit_entries')
      .select(['action', 'subject', 'user_id', 'app_id'])
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(entries, [
      {
        action: 'file imported',
        subject: 'import.csv: 1 created, 0 changed',
        user_id: shop.userId,
        app_id: shop.appId,
      },
    ])
  })

  test('is repeated by another worker when the first one has died, and done once', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop)
    await shop.post(pathOf(file, '/run'))
    // A worker takes the job, and is never heard of again.
    assert.equal((await claimDue(service.db, RUN_IMPORT, service.clock.now())).length, 1)
    await service.runJobs()
    assert.equal((await read(shop, file)).state, 'importing')
    service.clock.advance(LEASE_SECONDS + 1)
    await service.runJobs()
    assert.equal((await read(shop, file)).state, 'imported')
    assert.deepEqual(await titles(shop), ['A'])
  })

  test('keeps nothing of what it has done when its connection is lost in the middle, and begins anew', async () => {
    const shop = await service.openShop()
    await work(shop, await aCsvImport(service, shop, 'handle,title\nlast,Last\n'), '/run')
    const rows = Array.from({ length: 60 }, (_, index) => `h${index},New\n`).join('')
    const file = await aCsvImport(service, shop, `handle,title\n${rows}last,Changed\n`)
    await shop.post(pathOf(file, '/run'))
    const waiting = Promise.withResolvers<void>()
    // Somebody holds the product that comes last, so the import stops there, with the others written.
    const held = inTransaction(service.db, async (tx) => {
      await sql`select from products where company_id = ${shop.companyId} for update`.execute(tx)
      waiting.resolve()
      const blocked = sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      for (;;) {
        const [worker] = (await blocked.execute(service.db)).rows
        if (worker === undefined) continue
        await sql`select pg_terminate_backend(${worker.pid})`.execute(service.db)
        return
      }
    })
    await waiting.promise
    await Promise.all([service.runJobs(), held])
    assert.deepEqual([(await read(shop, file)).state, await titles(shop)], ['importing', ['Last']])
    service.clock.advance(LEASE_SECONDS + 1)
    await service.runJobs()
    assert.equal((await read(shop, file)).state, 'imported')
    assert.deepEqual([(await titles(shop)).length, (await titles(shop))[0]], [61, 'Changed'])
  })

  test('of two files at once is one after the other, and both are there', async () => {
    const shop = await service.openShop()
    const files = [await aCsvImport(service, shop), await aCsvImport(service, shop, 'handle,title\na,Other\nb,B\n')]
    for (const file of files) await shop.post(pathOf(file, '/run'))
    await service.runJobs()
    const reports = await Promise.all(files.map((file) => read(shop, file)))
    assert.deepEqual(
      reports.map(({ state, report }) => [state, report.counts.created, report.counts.changed]),
      [
        ['imported', 1, 0],
        ['imported', 1, 1],
      ],
    )
    assert.deepEqual(await titles(shop), ['Other', 'B'])
  })

  test('that is under way is neither changed nor deleted', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop)
    await shop.post(pathOf(file, '/run'))
    for (const answer of [await shop.put(pathOf(file), { import: {} }), await shop.delete(pathOf(file))])
      assert.deepEqual([answer.status, answer.body.reason], [409, 'import_under_way'])
    await service.runJobs()
    assert.equal((await shop.delete(pathOf(file))).status, 200)
    assert.deepEqual(await titles(shop), ['A'])
  })

  test('is not changed by somebody who has an older version of it', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop)
    const { headers } = await shop.get(pathOf(file))
    const ifMatch = { 'if-match': headers.get('etag') ?? '' }
    assert.equal((await shop.put(pathOf(file), { import: { left_out: [9] } }, ifMatch)).status, 200)
    assert.equal((await shop.put(pathOf(file), { import: { left_out: [8] } }, ifMatch)).status, 412)
  })
})

describe('who imports', () => {
  test('has the permission to change products, and an app needs the scope of customers for theirs', async () => {
    const shop = await service.openShop()
    const customers = await aCsvImport(service, shop, 'email\njane@example.com\n')
    const goods = await aCsvImport(service, shop)
    const app = await shop.withScopes('products')
    for (const answer of [
      await app.get(pathOf(customers)),
      await app.post(pathOf(customers, '/run')),
      await app.put(pathOf(goods), { import: { kind: 'customers' } }),
      await app.delete(pathOf(customers)),
      await upload(app, 'email\njane@example.com\n'),
    ])
      assert.deepEqual([answer.status, answer.body.reason], [403, 'scope_missing'])
    const { imports } = (await app.get('/api/imports.json')).body
    assert.deepEqual(
      imports.map(({ id }: Wire) => id),
      [goods.id],
    )
    const member = await aUser(service, shop)
    const answer = await (await shop.asUser(member.id)).post(pathOf(goods, '/run'))
    assert.deepEqual([answer.status, answer.body.reason], [403, 'permission_missing'])
  })

  test('may be signed in, and strangers find nothing', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const file = await aCsvImport(service, shop, 'email,first_name\njane@example.com,Jane\n')
    const page = await ownerPage(service, shop)
    const answer = await page.call('POST', `/imports/${file.id}/run.json`, undefined, {
      'sec-fetch-site': 'same-origin',
    })
    assert.equal(answer.status, 200, answer.text)
    await service.runJobs()
    assert.equal((await read(shop, file)).report.counts.created, 1)
    assert.equal((await stranger.get(pathOf(file))).status, 404)
    assert.equal((await stranger.post(pathOf(file, '/run'))).status, 404)
    await aProduct(stranger)
    assert.equal((await titles(stranger)).length, 1)
  })
})
