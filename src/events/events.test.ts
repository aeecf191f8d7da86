import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { nowInSeconds } from '#platform/clock.ts'
import { poolOf } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createDns } from '#platform/dns.ts'
import { createLog } from '#platform/log.ts'
import { createMetrics } from '#platform/metrics.ts'
import { createOutbound } from '#platform/outbound.ts'
import { eventsOf } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createWorker } from '../worker.ts'
import { deleteOldEvents } from './commands.ts'
import { emit } from './emit.ts'

const service = useService()
const DAY = 86_400

function tell({ companyId }: Shop, ...ids: string[]): Promise<void> {
  const data = ids.map((id) => ({ type: 'order' as const, id }))
  return inTransaction(service.db, (tx) => emit(tx, companyId, 'order/create', nowInSeconds(service.clock), data))
}

const idsOf = async (shop: Shop) => (await eventsOf(service, shop)).map(({ data }) => data.id)
const prune = () => inTransaction(service.db, (tx) => deleteOldEvents(tx, nowInSeconds(service.clock)))

describe('events', () => {
  test('are deleted when they are older than 30 days, whosever they are', async () => {
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

  test('are deleted by the worker, all that are old', { timeout: 60_000 }, async () => {
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
    const worker = createWorker({ ...parts, dns: createDns(), ownHost: 'localhost', currencyRatesUrl: '' })
    worker.start()
    while ((await idsOf(shop)).length > 1) await new Promise(setImmediate)
    await worker.stop()
    await outbound.close()
    assert.deepEqual(await idsOf(shop), ['young'])
  })
})
