import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ratesBetween, readRequests } from '#program/command-line/top/requests.ts'
import { useService } from '#test/harness.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

const service = useService()
const folder = temporaryFolder()

/** Runs the command once while requests and a slow statement are under way. */
async function look(options: string[], screen?: { columns(): number; draw(text: string): void }) {
  const ago = (seconds: number) => new Date(service.clock.now().getTime() - seconds * 1000)
  const shop = await service.openShop()
  await sql`delete from jobs`.execute(service.db)
  await sql`insert into jobs (kind, data, due_at, created_at) values ('make a film', '{}', ${ago(90)}, ${ago(90)})`.execute(
    service.db,
  )
  let isOver = false
  const asking = (async () => {
    while (!isOver) await shop.get('/api/products/count.json')
  })()
  const slow = sql`select pg_sleep(600), 'a slow question'`.execute(service.db).catch(() => undefined)
  const settings = { LICET_DATA: await folder, DATABASE_URL: service.database.url, PORT: '0' }
  const args = ['top', '--every', '1', '--times', '1', '--url', service.url, ...options]
  const ended = await run(args, settings, screen === undefined ? {} : { screen })
  isOver = true
  await asking
  await sql`select pg_cancel_backend(pid) from pg_stat_activity where query like '%a slow question%' and pid <> pg_backend_pid()`.execute(
    service.db,
  )
  await slow
  return ended
}

describe('licet top', () => {
  test('shows requests by route, statements that are running, jobs and webhooks', async () => {
    const { code, out, err } = await look([])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}database: \d+ of \d+ connections\n/)
    assert.match(out, /^Requests: [\d.]+ per second\n {2,}Per second +Mean ms +Failed per second +Route\n/m)
    assert.match(out, /^ +\d+\.\d +[\d.]+ +0\.0 +GET \/api\/products\/count\.json$/m)
    assert.match(out, /^ +\d+ +Timeout +select pg_sleep\(600\), 'a slow question'$/m)
    assert.match(out, /^ +0 +1 +\d+ +0 +make a film$/m)
    assert.match(out, /^Webhooks: sending to 0, 0 deliveries wait, 0 fail$/m)
    assert.ok(!out.includes('\u001b'))
  })

  test('is drawn over itself in a terminal, and has no line that is wider', async () => {
    const drawn: string[] = []
    const { out } = await look([], { columns: () => 50, draw: (text) => void drawn.push(text) })
    assert.deepEqual([out, drawn.length], ['', 1])
    const [text = ''] = drawn
    assert.ok(
      text.split('\n').every((line) => line.length <= 50),
      text,
    )
  })

  test('answers in JSON, and says if no service answers', async () => {
    const found = JSON.parse((await look(['--json'])).out)
    assert.deepEqual(
      [found.jobs[0].kind, found.jobs[0].due, found.statements.length > 0, found.rates.length > 0],
      ['make a film', 1, true, true],
    )
    const { out } = await look(['--url', 'http://127.0.0.1:9'])
    assert.match(out, /^No service answers at http:\/\/127\.0\.0\.1:9: name one with --url\.$/m)
  })

  test('counts from 0 what a service has done that was started again', () => {
    const text = (count: number) =>
      `licet_http_request_seconds_count{method="GET",route="/a",status="200"} ${count}\nlicet_http_request_seconds_sum{method="GET",route="/a",status="200"} ${count / 100}`
    const rates = ratesBetween(readRequests(text(100)), readRequests(text(20)), 2)
    assert.deepEqual(rates, [{ route: 'GET /a', per_second: 10, failed_per_second: 0, mean_ms: 10 }])
  })
})
