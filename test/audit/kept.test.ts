import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inSlices } from '#platform/db/batches.ts'
import { poolOf } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { BEFORE_ALL_KEYS, deleteVoidKeys, rememberImported } from '#program/imports/keys.commands.ts'
import { findImported } from '#program/imports/keys.queries.ts'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { createWorker } from '../../src/worker.ts'

const ROOT = new URL('../../', import.meta.url)
const service = useService()

/** The two tables of the section: their cells, without the heads. */
async function readSection(): Promise<{ forATime: string[][]; asLong: string[][] }> {
  const text = await readFile(new URL('docs/operating.md', ROOT), 'utf8')
  const [, section = ''] = /^## What is kept, and how long\n([\s\S]*?)^## /m.exec(text) ?? []
  const tables = section.split('\n\n').filter((part) => part.startsWith('|'))
  const [forATime = [], asLong = []] = tables.map((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').slice(1, -1)),
  )
  return { forATime, asLong }
}

const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

describe('docs/operating.md', () => {
  test('says of every table how long its rows are kept, and where that is set', async () => {
    const { forATime, asLong } = await readSection()
    const named = [...forATime.flatMap(([table]) => codesIn(table)), ...asLong.flatMap(([, tables]) => codesIn(tables))]
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(service.db)
    assert.ok(rows.length > 90)
    assert.deepEqual(named.toSorted(), rows.map(({ name }) => name).toSorted())
    const places = forATime.flatMap(([, , , place]) => codesIn(place)).filter((code) => code.startsWith('src/'))
    assert.ok(places.length > 20)
    assert.deepEqual(
      places.filter((place) => !existsSync(new URL(place, ROOT))),
      [],
    )
  })
})

/** Runs the recurring work of a worker until a condition is true. */
async function workUntil(condition: () => Promise<boolean>): Promise<void> {
  const { db, clock, files, vault } = service
  const log = createLog('silent')
  const outbound = createOutbound({})
  const notices = createNotices(poolOf(db), log)
  const parts = { db, notices, vault, clock, log, files, outbound, metrics: createMetrics(), mail: undefined }
  const worker = createWorker({
    ...parts,
    dns: createDns(),
    ownHost: 'localhost',
    uploadFolder: '.uploads',
    currencyRatesUrl: '',
    serviceUrls: { gateways: {}, vies: '' },
    baseUrl: 'http://localhost',
    failedJobDays: 30,
  })
  worker.start()
  while (!(await condition())) await new Promise(setImmediate)
  await worker.stop()
  await outbound.close()
}

const count = async (table: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
    service.db,
  )
  return rows[0]?.count ?? 0
}

describe('the worker', () => {
  test('deletes what is past its time, in batches', { timeout: 120_000 }, async () => {
    const { companyId } = await service.openShop()
    const now = service.clock.now()
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
    const many = 12_000
    const run = (statement: ReturnType<typeof sql>) => statement.execute(service.db)
    // Notes how many rows each statement deletes.
    await run(sql`create table deletions (rows bigint)`)
    await run(sql`create function note_deletion() returns trigger language plpgsql as $$ begin
      insert into deletions select count(*) from gone; return null; end $$`)
    for (const table of ['idempotency_keys', 'mails', 'audit_entries', 'attempt_limits', 'visits'])
      await run(sql`create trigger note after delete on ${sql.table(table)} referencing old table as gone
        for each statement execute function note_deletion()`)
    await run(sql`insert into attempt_limits (key, failures, failed_at, blocked_until)
      select decode(lpad(to_hex(n), 8, '0'), 'hex'), 1, ${daysAgo(2)}, ${daysAgo(2)} from generate_series(1, ${many}::int) as n`)
    await run(sql`insert into jobs (kind, company_id, data, due_at, failed_at, created_at)
      select 'no such kind', ${companyId}, '{}', ${daysAgo(40)}, ${daysAgo(31)}, ${daysAgo(40)}
      from generate_series(1, ${many}::int)`)
    await run(sql`insert into jobs (kind, company_id, data, due_at, failed_at, created_at)
      values ('no such kind', ${companyId}, '{}', ${daysAgo(40)}, ${daysAgo(29)}, ${daysAgo(40)})`)
    await run(sql`insert into cart_reminder_addresses (company_id, email_hash, reminded_at, stopped_at) values
      (${companyId}, 'old', ${daysAgo(8)}, null), (${companyId}, 'young', ${daysAgo(6)}, null),
      (${companyId}, 'stopped', ${daysAgo(800)}, ${daysAgo(700)})`)
    await run(sql`insert into vat_id_checks (company_id, vat_id, is_valid, request_id, checked_at) values
      (${companyId}, 'DE1', true, '', ${daysAgo(2)}), (${companyId}, 'DE2', true, '', ${now})`)

    const counts = () => Promise.all(['attempt_limits', 'jobs', 'cart_reminder_addresses', 'vat_id_checks'].map(count))
    const { 0: attempts = 0 } = await counts()
    await workUntil(async () => (await counts()).join() === [attempts - many, 1, 2, 1].join())
    const { rows } = await sql<{ most: number }>`select max(rows)::int as most from deletions`.execute(service.db)
    assert.equal(rows[0]?.most, 5000)
  })

  test('forgets what an import has created once that is deleted', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop)
    await inTransaction(service.db, (tx) =>
      rememberImported(
        tx,
        shop.companyId,
        'products',
        new Map([
          ['stays', product.id],
          ['gone', product.id + 1000],
        ]),
      ),
    )
    await inSlices(service.db, BEFORE_ALL_KEYS, deleteVoidKeys)
    const found = await findImported(service.db, shop.companyId, 'products', ['stays', 'gone'])
    assert.deepEqual([...found], [['stays', product.id]])
  })
})
