import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { operatingSystemOf } from '#shop/site/browsers.rules.ts'
import { type Shop, useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { signedIn } from '#test/people.ts'
import { baseOf } from '#test/shop-pages.ts'
import { visit } from '#test/visitor.ts'
import { closeDay, deleteOldVisits, writeViews } from './commands.ts'
import { closeEndedDays } from './ended-days.worker.ts'
import { readReferrers, readTraffic } from './queries.ts'
import { createRecorder } from './recorder.worker.ts'
import { campaignOf, deviceOf, endOfDay, referrerHostOf, viewedPath } from './rules.ts'
import type { PageView, Traffic } from './state.ts'

const service = useService()
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const NONE: Traffic = { visits: 0, page_views: 0, visitors: 0, repeating_visitors: 0, bots: 0, bounces: 0 }

beforeEach(() => {
  service.app.baseUrl = service.url
})

const today = () => dayAt(service.clock.now(), 0)
const trafficOf = ({ companyId }: Shop, day = today()) => readTraffic(service.db, { companyId, day })
const close = ({ companyId }: Shop, day = today()) =>
  inTransaction(service.db, (tx) => closeDay(tx, { companyId, day }))

function recorder(options: { viewsMax?: number } = {}) {
  const lines: string[] = []
  const metrics = createMetrics()
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  return {
    ...createRecorder({
      db: service.db,
      reads: service.db,
      clock: service.clock,
      log,
      metrics,
      flushMs: 3_600_000,
      ...options,
    }),
    metrics,
    lines,
  }
}

const viewOf = ({ companyId }: Shop, given: Partial<PageView> = {}): PageView => ({
  companyId,
  shopId: 1,
  at: service.clock.now(),
  address: '192.0.2.1',
  userAgent: FIREFOX,
  path: '/',
  campaign: '',
  referrerHost: '',
  country: '',
  language: 'en',
  ...given,
})

const storedViews = ({ companyId }: Shop) =>
  service.db.selectFrom('page_views').selectAll().where('company_id', '=', companyId).orderBy('position').execute()

const storedVisits = ({ companyId }: Shop) =>
  service.db.selectFrom('visits').selectAll().where('company_id', '=', companyId).orderBy('id').execute()

describe('a page of a shop', () => {
  test('is counted when a person is shown it, with where the person came from', async () => {
    const shop = await service.openShop()
    const base = await baseOf(shop)
    const browser = visit(service.url, {
      'user-agent': IPHONE,
      'accept-language': 'de-AT',
      referer: 'https://search.example/?q=films',
    })
    await browser.get(`${base}/search?q=secret&utm_source=letter`)
    await browser.get(`${base}/`)
    await visit(service.url, { 'user-agent': BOT }).get(`${base}/`)
    await service.app.pageViews.flush()
    const [first] = await storedViews(shop)
    const { path, campaign, referrer_host, operating_system, device, country, is_bot } = first ?? {}
    assert.deepEqual(
      { path, campaign, referrer_host, operating_system, device, country, is_bot },
      {
        path: '/search',
        campaign: 'letter',
        referrer_host: 'search.example',
        operating_system: 'ios',
        device: 'phone',
        country: 'AT',
        is_bot: false,
      },
    )
    const traffic = { ...NONE, visits: 1, page_views: 2, visitors: 1, bots: 1, lost_views: 0 }
    assert.deepEqual(await trafficOf(shop), traffic)
    await close(shop)
    assert.deepEqual(await trafficOf(shop), traffic)
    assert.deepEqual(
      (await storedVisits(shop)).map(({ landing_path, page_views }) => [landing_path, page_views]),
      [['/search', 2]],
    )
  })

  test('is not counted for anything else', async () => {
    const shop = await service.openShop()
    const base = await baseOf(shop)
    const { get } = visit(service.url, { 'user-agent': FIREFOX })
    assert.equal((await get(`${base}/nothing`)).status, 404)
    assert.equal((await get(`${base}/sitemap.xml`)).status, 200)
    assert.equal((await get(`${base}/search/suggestions?q=a`)).status, 200)
    assert.equal((await service.call('HEAD', `${base}/`, { headers: { 'user-agent': FIREFOX } })).status, 200)
    const early = visit(service.url, { 'user-agent': FIREFOX, 'sec-purpose': 'prefetch;prerender' })
    assert.equal((await early.get(`${base}/`)).status, 200)
    const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    const setOffline = (shop_offline: boolean) =>
      shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_offline } })
    await setOffline(true)
    assert.equal((await (await signedIn(service, shop)).get(`${base}/`)).status, 200)
    assert.equal((await get(`${base}/`)).status, 503)
    await setOffline(false)
    await service.app.pageViews.flush()
    assert.deepEqual(await storedViews(shop), [])
    await get(`${base}/`)
    await service.app.pageViews.flush()
    assert.equal((await storedViews(shop)).length, 1)
  })

  test('costs no statement more', async () => {
    const shop = await service.openShop()
    const path = `${await baseOf(shop)}/`
    const statementsOf = async (method: string) => {
      const start = statementCount()
      await service.call(method, path, { headers: { 'user-agent': FIREFOX } })
      return statementCount() - start
    }
    await statementsOf('HEAD')
    const uncounted = await statementsOf('HEAD')
    assert.equal(await statementsOf('GET'), uncounted)
    const start = statementCount()
    await service.app.pageViews.flush()
    assert.ok(statementCount() > start)
  })

  test('leaves no address, user agent or secret in the database', async () => {
    const shop = await service.openShop()
    const { add, flush } = recorder()
    add(viewOf(shop, { address: '198.51.100.77' }))
    await flush()
    const readAll = async () => {
      const { rows } = await sql<{ text: string }>`select page_views::text || traffic_days::text as text
        from page_views join traffic_days using (company_id, day) where company_id = ${shop.companyId}`.execute(
        service.db,
      )
      return rows
    }
    const [{ text } = { text: '' }] = await readAll()
    assert.ok(text.length > 0)
    for (const word of ['198.51.100.77', 'Firefox', 'Gecko']) assert.ok(!text.includes(word), text)
    await close(shop)
    assert.deepEqual(await readAll(), [])
    const day = await service.db
      .selectFrom('traffic_days')
      .select('salt')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.equal(day.salt, null)
  })
})

type Seen = { visitor: number; minute: number; process: number; isBot: boolean }

/** Counts from scratch: the views of each visitor in their order, on the day of the company's time zone. */
function countedFrom(views: readonly Seen[], start: Date, offset: number, day: string): Traffic {
  const traffic = { ...NONE }
  const timeOf = ({ minute }: Seen) => new Date(start.getTime() + minute * 60_000)
  const ofDay = views.filter((view) => dayAt(timeOf(view), offset) === day)
  for (const seen of Map.groupBy(ofDay, ({ visitor, isBot }) => `${visitor} ${isBot}`).values()) {
    const minutes = seen.map(({ minute }) => minute).sort((a, b) => a - b)
    const pages: number[] = []
    for (const [index, minute] of minutes.entries())
      if (index === 0 || minute - (minutes[index - 1] ?? 0) >= 30) pages.push(1)
      else pages.push((pages.pop() ?? 0) + 1)
    if (seen[0]?.isBot === true) traffic.bots += pages.length
    else {
      traffic.visits += pages.length
      traffic.page_views += seen.length
      traffic.visitors += 1
      traffic.repeating_visitors += pages.length > 1 ? 1 : 0
      traffic.bounces += pages.filter((count) => count === 1).length
    }
  }
  return traffic
}

const seenViews = fc.array(
  fc.record({
    visitor: fc.integer({ min: 1, max: 4 }),
    minute: fc.integer({ min: 0, max: 2 * 24 * 60 - 1 }).map((minute) => (minute % 7 === 0 ? minute : minute % 300)),
    process: fc.integer({ min: 0, max: 1 }),
    isBot: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  }),
  { minLength: 1, maxLength: 40 },
)

describe('views of two processes', () => {
  // The views come in any order, and so do the batches.
  test('are counted as if one had counted them all, in the time zone of the company', async () => {
    const start = new Date('2026-03-01T22:00:00Z')
    await fc.assert(
      fc.asyncProperty(
        seenViews,
        fc.constantFrom(-300, 0, 330),
        fc.integer({ min: 1, max: 7 }),
        async (views, offset, size) => {
          const shop = await service.openShop()
          await service.db.updateTable('users').set({ time_zone: offset }).where('id', '=', shop.userId).execute()
          const processes = [recorder(), recorder()] as const
          for (const [index, { visitor, minute, process, isBot }] of views.entries()) {
            const at = new Date(start.getTime() + minute * 60_000)
            const userAgent = isBot ? BOT : FIREFOX
            processes[process === 0 ? 0 : 1].add(viewOf(shop, { at, userAgent, address: `192.0.2.${visitor}` }))
            if (index % size === 0) await Promise.all(processes.map(({ flush }) => flush()))
          }
          await Promise.all(processes.map(({ stop }) => stop()))
          for (const day of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']) {
            const expected = { ...countedFrom(views, start, offset, day), lost_views: 0 }
            assert.deepEqual(await trafficOf(shop, day), expected)
            await close(shop, day)
            assert.deepEqual(await trafficOf(shop, day), expected)
          }
          const stored = await storedVisits(shop)
          const people = views.filter(({ isBot }) => !isBot).length
          assert.equal(
            stored.reduce((sum, { page_views }) => sum + page_views, 0),
            people,
          )
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('views that cannot be written', () => {
  test('are tried again, and count once', async () => {
    const shop = await service.openShop()
    const { add, flush, lines } = recorder()
    add(viewOf(shop))
    await sql`alter table page_views rename to hidden_page_views`.execute(service.db)
    await flush()
    add(viewOf(shop))
    await flush()
    await sql`alter table hidden_page_views rename to page_views`.execute(service.db)
    assert.match(lines.join(), /page views could not be written and are tried again/)
    await flush()
    await flush()
    assert.deepEqual(await trafficOf(shop), { ...NONE, visits: 1, page_views: 2, visitors: 1, lost_views: 0 })
  })

  // The commit may succeed although the answer is lost, and then the batch is written again.
  test('count once even if they were written before', async () => {
    const shop = await service.openShop()
    const { add, flush } = recorder()
    add(viewOf(shop))
    await flush()
    const rows = (await storedViews(shop)).map(({ batch, visitor, at, ...view }) => ({
      ...view,
      day: today(),
      visitor: visitor.toString('hex'),
      at: at.toISOString(),
      batch,
    }))
    const batch = rows[0]?.batch ?? ''
    const { late } = await inTransaction(service.db, (tx) => writeViews(tx, batch, rows))
    assert.equal(late, 0)
    assert.equal((await trafficOf(shop)).page_views, 1)
  })

  test('are counted as lost when the memory for them is full', async () => {
    const shop = await service.openShop()
    const { add, flush, metrics, lines } = recorder({ viewsMax: 2 })
    for (let count = 0; count < 5; count += 1) add(viewOf(shop))
    await flush()
    assert.deepEqual(await trafficOf(shop), { ...NONE, visits: 1, page_views: 2, visitors: 1, lost_views: 3 })
    const text = await metrics.read()
    assert.match(text, /licet_batched_total\{kind="page_view",outcome="lost"\} 3/)
    assert.match(text, /licet_batched_total\{kind="page_view",outcome="written"\} 2/)
    assert.match(lines.join(), /page views were not counted/)
    add(viewOf(shop))
    await flush()
    assert.equal((await trafficOf(shop)).page_views, 3)
  })

  test('are counted as lost when their day has been counted', async () => {
    const shop = await service.openShop()
    const [first, second] = [recorder(), recorder()]
    first.add(viewOf(shop))
    await first.flush()
    await close(shop)
    for (const { add, flush } of [first, second]) {
      add(viewOf(shop))
      await flush()
    }
    const traffic = { ...NONE, visits: 1, page_views: 1, visitors: 1, bounces: 1, lost_views: 2 }
    assert.deepEqual(await trafficOf(shop), traffic)
    assert.deepEqual(await storedViews(shop), [])
  })
})

describe('the worker', () => {
  test('counts a day ten minutes after its end, and deletes visits after 90 days', async () => {
    const shop = await service.openShop()
    const { add, flush } = recorder()
    add(viewOf(shop, { at: new Date('2026-02-01T10:00:00Z') }))
    await flush()
    const runAt = async (time: string) => {
      await closeEndedDays(service.db, new Date(time))
      return (await storedVisits(shop)).length
    }
    assert.equal(await runAt('2026-02-02T00:09:00Z'), 0)
    assert.equal(await runAt('2026-02-02T00:11:00Z'), 1)
    await inTransaction(service.db, (tx) => deleteOldVisits(tx, new Date('2026-05-02T09:00:00Z')))
    assert.equal((await storedVisits(shop)).length, 1)
    await inTransaction(service.db, (tx) => deleteOldVisits(tx, new Date('2026-05-02T11:00:00Z')))
    assert.equal((await storedVisits(shop)).length, 0)
    const ever = { from: '2026-01-01', to: '2026-12-31' }
    assert.equal((await readReferrers(service.db, shop.companyId, ever, 10)).length, 1)
    await inTransaction(service.db, (tx) => deleteOldVisits(tx, new Date('2026-05-03T11:00:00Z')))
    assert.deepEqual(await readReferrers(service.db, shop.companyId, ever, 10), [])
    assert.equal((await trafficOf(shop, '2026-02-01')).visits, 1)
  })
})

test('a day that is counted while it is read has all its visits', async () => {
  const shop = await service.openShop()
  const { add, flush } = recorder()
  add(viewOf(shop))
  await flush()
  const reading = await inTransaction(service.db, async (tx) => {
    await sql`lock table page_views`.execute(tx)
    const traffic = trafficOf(shop)
    await untilWaiting(service, 1)
    await closeDay(tx, { companyId: shop.companyId, day: today() })
    return { traffic }
  })
  assert.equal((await reading.traffic).visits, 1)
})

describe('rules', () => {
  test('tell operating systems and devices by the user agent', () => {
    const AGENTS = [
      [FIREFOX, 'linux', 'desktop'],
      [IPHONE, 'ios', 'phone'],
      ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Mobile/15E148', 'ios', 'tablet'],
      ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36', 'android', 'phone'],
      ['Mozilla/5.0 (Linux; Android 15; SM-X900) Chrome/140.0 Safari/537.36', 'android', 'tablet'],
      ['Mozilla/5.0 (Linux; Android 11; KFTRWI) Silk/120.1 like Chrome/120.0 Safari/537.36', 'fire_os', 'tablet'],
      ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/140.0 Safari/537.36', 'chrome_os', 'desktop'],
      ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36', 'windows', 'desktop'],
      ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'os_x', 'desktop'],
      ['curl/8.9', 'unknown', 'unknown'],
    ]
    for (const [agent = '', system, device] of AGENTS) {
      const found = operatingSystemOf(agent)
      assert.deepEqual([found, deviceOf(agent, found)], [system, device], agent)
    }
  })

  test('keep no secret of an address', () => {
    const base = '/shop/7'
    const route = '/shop/:shop/orders/:ref'
    assert.equal(viewedPath({ url: `${base}/orders/1-secret?a=b`, route, base, isPrivate: true }), '/orders/:ref')
    assert.equal(viewedPath({ url: `${base}?q=b`, route: '/shop/:shop', base, isPrivate: false }), '/')
    assert.equal(campaignOf('/?email=a@example.com&ref=partner'), 'partner')
    assert.equal(campaignOf('/?q=a%00'), '')
    assert.equal(campaignOf('/?utm_source=a%00b'), 'ab')
    assert.equal(referrerHostOf('https://a.example/path?secret', 'shop.example'), 'a.example')
    assert.equal(referrerHostOf('https://shop.example/', 'shop.example'), '')
    assert.equal(referrerHostOf('not an address', 'shop.example'), '')
  })

  test('end a day at midnight of its time zone', () => {
    for (const offset of [-840, -300, 0, 330, 840]) {
      const end = endOfDay('2026-03-01', offset)
      assert.equal(dayAt(new Date(end.getTime() - 1), offset), '2026-03-01')
      assert.equal(dayAt(end, offset), '2026-03-02')
    }
  })
})
