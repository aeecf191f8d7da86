import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { dispatchEvents } from '#apps/webhooks/sender/dispatch.commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { poolOf } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { assertBlames, eventsOf } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createWorker } from '../../worker.ts'
import { deleteOldEvents } from './commands.ts'
import { emit } from './emit.commands.ts'

const service = useService()
const DAY = 86_400

function tell({ companyId }: Shop, ...ids: string[]): Promise<void> {
  const data = ids.map((id) => ({ type: 'order' as const, id }))
  return inTransaction(service.db, (tx) => emit(tx, companyId, 'order/create', nowInSeconds(service.clock), data))
}

const idsOf = async (shop: Shop) => (await eventsOf(service, shop)).map(({ data }) => data.id)
const prune = () => inTransaction(service.db, (tx) => deleteOldEvents(tx, nowInSeconds(service.clock)))

describe('events', () => {
  test('are deleted when they are older than 30 days, of every company', async () => {
    service.clock.stop()
    const [one, other] = [await service.openShop(), await service.openShop()]
    await tell(one, 'old')
    await tell(other, 'old')
    service.clock.advance(DAY)
    await tell(one, 'young')
    service.clock.advance(29 * DAY)
    assert.equal(await prune(), 0)
    assert.deepEqual([await idsOf(one), await idsOf(other)], [['old', 'young'], ['old']])
    service.clock.advance(1)
    assert.equal(await prune(), 2)
    assert.deepEqual([await idsOf(one), await idsOf(other)], [['young'], []])
    assert.equal(await prune(), 0)
  })

  test('are deleted behind those of a busy sandbox, whose time is ahead', async () => {
    const [shop, sandbox] = [await service.openShop(), await service.openShop({ sandbox: true })]
    const { companyId } = sandbox
    await sql`update test_clocks set ahead_ms = ${400 * DAY * 1000} where company_id = ${companyId}`.execute(service.db)
    const later = new Date(service.clock.now().getTime() + 400 * DAY * 1000)
    await sql`insert into events (company_id, topic, data, created_at)
      select ${companyId}, 'order/create', '{"type": "order", "id": "1"}', ${later} from generate_series(1, 10001)`.execute(
      service.db,
    )
    await tell(shop, 'old')
    assert.equal(await prune(), 0)
    service.clock.advance(31 * DAY)
    while ((await prune()) > 0);
    assert.deepEqual([await idsOf(shop), await idsOf(sandbox)], [[], []])
  })

  test('are deleted by two processes at once without either waiting for the other', async () => {
    const shop = await service.openShop()
    await tell(shop, 'a', 'b')
    service.clock.advance(31 * DAY)
    await inTransaction(service.db, async (tx) => {
      await sql`select id from events where company_id = ${shop.companyId} and data->>'id' = 'a' for update`.execute(tx)
      assert.ok((await prune()) > 0)
    })
    assert.deepEqual(await idsOf(shop), ['a'])
    const counts = await Promise.all([prune(), prune(), prune()])
    assert.deepEqual([counts.reduce((sum, count) => sum + count), await idsOf(shop)], [1, []])
  })

  test('are deleted by the worker, all that are old', async () => {
    const shop = await service.openShop()
    const many = Array.from({ length: 25_000 }, (_, index) => String(index))
    await tell(shop, ...many)
    // The deletion passes over events that are being dispatched, and finds them an hour later.
    await service.runJobs()
    service.clock.advance(31 * DAY)
    await tell(shop, 'young')
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
    while ((await idsOf(shop)).length > 1) await new Promise(setImmediate)
    await worker.stop()
    await outbound.close()
    assert.deepEqual(await idsOf(shop), ['young'])
  })
})

describe('the log of events', () => {
  const dispatch = () => inTransaction(service.db, (tx) => dispatchEvents(tx, 0, service.clock.now()))
  const read = async (shop: Shop, query = '') => {
    const answer = await shop.get(`/api/events.json${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.events
  }

  test('shows what was dispatched, in the order of dispatch, and pages by it', async () => {
    const shop = await service.openShop()
    await tell(shop, '1')
    assert.deepEqual([await read(shop), (await shop.get('/api/events/count.json')).body], [[], { count: 0 }])
    await dispatch()
    await tell(shop, '2', '3')
    await dispatch()
    const events = await read(shop)
    const [first] = events
    assert.deepEqual(first, {
      id: first.id,
      topic: 'order/create',
      data: { type: 'order', id: '1' },
      created_at: nowInSeconds(service.clock).toISOString().slice(0, 19),
    })
    assert.deepEqual(
      events.map(({ data }: { data: { id: string } }) => data.id),
      ['1', '2', '3'],
    )
    const page = await shop.get('/api/events.json?limit=2&fields=id')
    assert.deepEqual(
      page.body.events,
      events.slice(0, 2).map(({ id }: { id: number }) => ({ id })),
    )
    assert.match(page.headers.get('link') ?? '', new RegExp(`since_id=${events[1].id}`))
    assert.deepEqual(await read(shop, `?since_id=${events[1].id}`), events.slice(2))
    assert.deepEqual(await read(shop, '?limit=1&page=2'), [events[1]])
  })

  test('misses no event whose transaction committed after that of a later one', async () => {
    const shop = await service.openShop()
    await inTransaction(service.db, async (tx) => {
      const data = [{ type: 'order' as const, id: 'slow' }]
      await emit(tx, shop.companyId, 'order/create', nowInSeconds(service.clock), data)
      await tell(shop, 'quick')
      await dispatch()
      assert.deepEqual(
        (await read(shop)).map(({ data }: { data: { id: string } }) => data.id),
        ['quick'],
      )
    })
    const [{ id }] = await read(shop)
    await dispatch()
    const [late] = await read(shop, `?since_id=${id}`)
    assert.equal(late.data.id, 'slow')
  })

  test('is filtered and counted by topic and time', async () => {
    const shop = await service.openShop()
    await tell(shop, '1')
    const now = nowInSeconds(service.clock)
    await inTransaction(service.db, (tx) =>
      emit(tx, shop.companyId, 'product/delete', now, [{ type: 'product', id: '2', long_id: 'x' }]),
    )
    await dispatch()
    const [order] = await read(shop)
    for (const [query, count] of [
      ['', 2],
      ['?topic=', 2],
      ['?topic=order/create', 1],
      ['?topic=orders/create', 1],
      ['?topic=orders/create,product/delete', 2],
      ['?topic=customer/update', 0],
      [`?created_at_min=${now.toISOString()}`, 2],
      ['?created_at_min=2100-01-01', 0],
      ['?created_at_max=2000-01-01', 0],
      [`?since_id=${order.id}`, 1],
      [`?since_id=${order.id}&topic=order/create`, 0],
    ] as const) {
      assert.equal((await read(shop, query)).length, count, query)
      assert.deepEqual((await shop.get(`/api/events/count.json${query}`)).body, { count }, query)
    }
    assertBlames(await shop.get('/api/events.json?topic=order/paid'), ['topic'])
    assertBlames(await shop.get('/api/events/count.json?topic=order/create,x'), ['topic'])
  })

  test('shows an app the events about itself, and none about another app', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const now = nowInSeconds(service.clock)
    await inTransaction(service.db, (tx) =>
      emit(
        tx,
        shop.companyId,
        'app/update',
        now,
        [shop, other].map(({ appId }) => ({ type: 'app', id: String(appId) })),
      ),
    )
    await dispatch()
    for (const query of ['', '?topic=app/update']) {
      const events = await read(shop, query)
      assert.deepEqual([events.length, events[0].data.id], [1, String(shop.appId)])
      assert.deepEqual((await shop.get(`/api/events/count.json${query}`)).body, { count: 1 })
    }
    assert.deepEqual(await read(other), [])
  })
})
