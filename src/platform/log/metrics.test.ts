import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aWebhook } from '#test/webhooks.ts'
import { databaseMeasures } from '../db/connections/measures.ts'
import { openDatabase } from '../db/database.ts'
import { createMetrics } from './metrics.ts'

const service = useService()

/** The values of the metrics, by their names with labels. */
async function scrape(): Promise<Map<string, number>> {
  const { status, text } = await service.call('GET', '/metrics')
  assert.equal(status, 200)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('GET /metrics', () => {
  test('has what waits and what has failed, of jobs, events, webhooks and mails, without naming a company', async () => {
    const shop = await service.openShop()
    await aWebhook(shop, 'http://127.0.0.1:1/hook')
    await aProduct(shop)
    const ago = (seconds: number) => new Date(service.clock.now().getTime() - seconds * 1000)
    await sql`insert into jobs (kind, company_id, data, due_at, created_at, failed_at, leased_until) values
      ('a kind', ${shop.companyId}, '{}', ${ago(90)}, ${ago(90)}, null, null),
      ('a kind', ${shop.companyId}, '{}', ${ago(-60)}, ${ago(90)}, null, ${ago(-60)}),
      ('a kind', ${shop.companyId}, '{}', ${ago(90)}, ${ago(90)}, ${ago(10)}, null)`.execute(service.db)
    await sql`insert into mails (company_id, recipient, subject, carries_secret, created_at, failed_at)
      values (${shop.companyId}, 'a@example.com', 'A', false, ${ago(10)}, ${ago(5)})`.execute(service.db)
    const metrics = await scrape()
    const of = (name: string) => metrics.get(name) ?? Number.NaN
    const kind = '{kind="a kind"}'
    assert.deepEqual(
      ['due', 'leased', 'given_up'].map((name) => of(`licet_jobs_${name}${kind}`)),
      [1, 1, 1],
    )
    const oldest = of(`licet_jobs_oldest_due_seconds${kind}`)
    assert.ok(oldest >= 89 && oldest < 600, String(oldest))
    assert.ok(of('licet_events_waiting') >= 1)
    assert.deepEqual([of('licet_mails_failed'), of('licet_webhooks{state="working"}')], [1, 1])
    assert.ok(of('licet_database_bytes') > 1_000_000)
    assert.ok(of('licet_database_server_connections_max') >= of('licet_database_server_connections'))
    assert.equal(of('licet_database_up'), 1)
    const names = [...metrics.keys()].join('\n')
    assert.ok(!/company|customer|email|@/.test(names))
    assert.ok(names.includes('licet_http_request_seconds_bucket{le="0.001",method="POST",route="/api/webhooks.json"'))
  })

  test('is answered when the database is away, and shows no old values', async () => {
    const { reads: db, close } = openDatabase({ connectionString: 'postgres://a@127.0.0.1:1/b' }, { poolMax: 1 })
    const metrics = createMetrics()
    metrics.measure({ db, now: () => new Date(), measures: [databaseMeasures] })
    const text = await metrics.read()
    await close()
    assert.match(text, /^licet_database_up 0$/m)
    assert.doesNotMatch(text, /^licet_database_bytes \d/m)
  })
})
