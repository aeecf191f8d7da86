import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { readConfig } from '#platform/settings/config.ts'
import { runChecks } from '#program/command-line/doctor.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { claimRefresh } from './commands.ts'
import { readRefresh } from './queries.ts'
import { createRatesRefresher } from './refresh.worker.ts'

const service = useService()

/** A source whose answer the test sets. */
let source: Server
let answer: RequestListener
let asked = 0
before(async () => {
  source = createServer((request, response) => {
    asked += 1
    answer(request, response)
  })
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
})
after(() => source.close().closeAllConnections())

const url = () => `http://127.0.0.1:${(source.address() as AddressInfo).port}/daily.xml`
const outbound = createOutbound({ allowed: { loopback: true, networks: [] } })
const guarded = createOutbound({})
after(() => Promise.all([outbound.close(), guarded.close()]))

const lines: string[] = []
const metrics = createMetrics()

function refresh(options: { through?: typeof outbound; timeoutMs?: number } = {}): Promise<void> {
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const through = options.through ?? outbound
  return createRatesRefresher({
    ...options,
    db: service.db,
    clock: service.clock,
    log,
    metrics,
    outbound: through,
    url: url(),
  })()
}

const file = (day: string, usd: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube><Cube time='${day}'>
<Cube currency='USD' rate='${usd}'/></Cube></Cube></gesmes:Envelope>`

const send =
  (body: string | Buffer, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/xml' }).end(body)

/** The rates as the API shows them, by currency. */
async function shown(): Promise<Record<string, [number, string]>> {
  const { body } = await (await service.openShop()).get('/api/currency_rates.json')
  return Object.fromEntries(
    body.currency_rates.map(({ currency, rate_to_eur, date }: Wire) => [currency, [rate_to_eur, date]]),
  )
}

const yesterday = () => new Date(service.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)

async function outcomes(outcome: string): Promise<number> {
  const match = new RegExp(`outcome="${outcome}"} (\\d+)`).exec(await metrics.read())
  return Number(match?.[1] ?? 0)
}

beforeEach(async () => {
  asked = 0
  lines.length = 0
  await service.db
    .updateTable('currency_rate_refresh')
    .set({ due_at: new Date(0), failure: null })
    .execute()
})

describe('the refresh of currency rates', () => {
  test('brings in a day, and says that it went well', async () => {
    answer = send(file(yesterday(), '1.2'))
    const done = await outcomes('done')
    await refresh()
    assert.deepEqual((await shown()).USD, [1.2, `${yesterday()}T00:00:00`])
    assert.deepEqual((await shown()).EUR, [1, `${yesterday()}T00:00:00`])
    const { failure, tried_at, succeeded_at } = await readRefresh(service.db)
    assert.equal(failure, null)
    assert.ok(tried_at !== null && succeeded_at !== null && succeeded_at >= tried_at)
    assert.deepEqual(lines, [])
    assert.equal(await outcomes('done'), done + 1)
  })

  test('asks again after six hours, and not before', async () => {
    answer = send(file(yesterday(), '1.2'))
    await refresh()
    service.clock.advance(6 * 3600 - 5)
    await refresh()
    assert.equal(asked, 1)
    service.clock.advance(10)
    await refresh()
    assert.equal(asked, 2)
  })

  test('is done by one of several workers', async () => {
    answer = send(file(yesterday(), '1.2'))
    await Promise.all(Array.from({ length: 6 }, () => refresh()))
    assert.equal(asked, 1)
  })

  // A worker that dies reports nothing; the next one takes over when its claim has expired.
  test('is taken over from a worker that was killed in the middle', async () => {
    answer = send(file(yesterday(), '1.2'))
    assert.equal(await inTransaction(service.db, (tx) => claimRefresh(tx, service.clock.now(), 600)), true)
    await refresh()
    assert.equal(asked, 0)
    service.clock.advance(601)
    await refresh()
    assert.equal(asked, 1)
  })

  const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level || ''};`.repeat(10)}">`,
  ).join('')}]><Envelope><Cube><Cube time='2026-11-13'><Cube currency='&lol9;' rate='1'/></Cube></Cube></Envelope>`
  const FAILURES: [string, () => RequestListener, RegExp][] = [
    ['a source that answers 500', () => send('Sorry', 500), /answered 500 Internal Server Error/],
    ['a source that answers 404', () => send('None', 404), /answered 404 Not Found/],
    ['a page in place of the file', () => send('<!doctype html><p>Maintenance</p>'), /not a file of reference rates/],
    ['half a file', () => send(file(yesterday(), '1.2').slice(0, 120)), /not a file of reference rates/],
    ['entities that grow without end', () => send(bomb), /document type or an entity/],
    ['bytes that are no text', () => send(Buffer.from([0x3c, 0xff, 0xfe, 0x3e])), /not in UTF-8/],
    ['a rate that cannot be', () => send(file(yesterday(), '120')), /USD 120, after 1\.\d/],
    ['a day before the one that is known', () => send(file('2026-07-01', '1.3')), /is of 2026-07-01, and rates of/],
    ['a day that has not come', () => send(file('9999-12-31', '1.3')), /has not come/],
    ['a file without end', () => endless, /larger than 0\.06 MiB/],
    ['a connection that breaks', () => (_request, response) => response.destroy(), /connection to the server broke/],
  ]
  const endless: RequestListener = (_request, response) => {
    response.on('error', () => {})
    const write = () => {
      while (!response.destroyed && response.write('<Cube/>'.repeat(1000)));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  }
  for (const [what, listener, reason] of FAILURES) {
    test(`leaves the rates alone after ${what}, and reports it`, async () => {
      answer = send(file(yesterday(), '1.2'))
      await refresh()
      service.clock.advance(7 * 3600)
      const before = await shown()
      const failed = await outcomes('failed')
      answer = listener()
      await refresh()
      assert.deepEqual(await shown(), before)
      const { failure, tried_at, succeeded_at } = await readRefresh(service.db)
      assert.match(failure ?? '', reason)
      assert.ok(tried_at !== null && succeeded_at !== null && succeeded_at < tried_at)
      assert.equal(await outcomes('failed'), failed + 1)
      const [line] = lines.map((text) => JSON.parse(text))
      assert.deepEqual([line.level, line.failure], [40, failure])
    })
  }

  test('gives up on a source that never answers', async () => {
    answer = () => {}
    await refresh({ timeoutMs: 200 })
    assert.match((await readRefresh(service.db)).failure ?? '', /took longer than 0\.2 seconds/)
  })

  test('tries a source that failed again after an hour, and forgives it', async () => {
    answer = send('Sorry', 503)
    await refresh()
    service.clock.advance(3600 - 5)
    await refresh()
    assert.equal(asked, 1)
    service.clock.advance(10)
    answer = send(file(yesterday(), '1.2'))
    await refresh()
    assert.equal(asked, 2)
    assert.equal((await readRefresh(service.db)).failure, null)
  })

  test('goes through the guarded agent, as every address from outside does', async () => {
    answer = send(file(yesterday(), '1.2'))
    await refresh({ through: guarded })
    assert.equal(asked, 0)
    assert.match((await readRefresh(service.db)).failure ?? '', /private network/)
  })
})

describe('LICET_CURRENCY_RATES_URL', () => {
  test('is the European Central Bank, unless another is named; empty turns the refresh off', () => {
    const of = (env: Record<string, string>) => readConfig(env).currencyRatesUrl
    assert.equal(of({}), 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml')
    assert.equal(of({ LICET_CURRENCY_RATES_URL: 'http://rates.example/x' }), 'http://rates.example/x')
    assert.equal(of({ LICET_CURRENCY_RATES_URL: '' }), '')
    assert.throws(() => of({ LICET_CURRENCY_RATES_URL: 'ftp://rates.example' }), /must be an http or https address/)
  })
})

describe('licet doctor', () => {
  const finding = async (env: Record<string, string> = {}) => {
    const findings = await runChecks(
      readConfig({ PORT: '0', DATABASE_URL: service.database.url, LICET_DATA: '.', ...env }),
    )
    return findings.find(({ what }) => what === 'Currency rates')
  }

  test('says of which day the rates are, and what is wrong with the source', async () => {
    answer = send(file(yesterday(), '1.2'))
    await refresh()
    assert.deepEqual(await finding(), { ok: true, what: 'Currency rates', detail: `of ${yesterday()}` })
    service.clock.advance(7 * 3600)
    answer = send('Sorry', 500)
    await refresh()
    const bad = await finding()
    assert.equal(bad?.ok, false)
    assert.match(bad?.detail ?? '', /^of \S+, the refresh fails: The server answered 500/)
    const off = await finding({ LICET_CURRENCY_RATES_URL: '' })
    assert.equal(off?.ok, true)
    assert.match(off?.detail ?? '', /refresh is off$/)
  })
})
