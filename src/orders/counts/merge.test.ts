import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { poolOf } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createDns } from '#platform/dns.ts'
import { createLog } from '#platform/log.ts'
import { createMetrics } from '#platform/metrics.ts'
import { createOutbound } from '#platform/outbound.ts'
import { useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { createWorker } from '../../worker.ts'
import { type CountedOrder, countIn, mergeCounts, recount } from './commands.ts'

const service = useService()

const PATIENCE_MS = 20_000

const DAYS = ['2026-01-01', '2026-01-02', '2026-01-05'] as const
const at = (day: string) => new Date(`${day}T12:00:00Z`)

type Sum = { day: string; status: string; amount: number; first: number; last: number; slots: number }

async function sums(companyId: number): Promise<Sum[]> {
  const { rows } = await sql<Sum>`select day::text as day, financial_status || ' ' || fulfillment_status as status,
      sum(amount)::float8 as amount, min(first_id) as first, max(last_id) as last, count(*)::float8 as slots
    from order_counts where company_id = ${companyId}
    group by 1, 2 order by 1, 2`.execute(service.db)
  return rows
}

const withoutSlots = (rows: Sum[]) => rows.map(({ slots: _slots, ...row }) => row)

/** Counts orders in on each of the days, as if it were that day: the slots are many then. */
async function fill(companyId: number): Promise<CountedOrder[]> {
  const orders = DAYS.flatMap((day, index) =>
    Array.from(
      { length: 40 },
      (_, number): CountedOrder => ({
        company_id: companyId,
        id: 1000 + index * 100 + number,
        created_at: at(day),
        financial_status: 'paid',
        fulfillment_status: number % 2 === 0 ? null : 'fulfilled',
        cancelled_at: null,
      }),
    ),
  )
  await inTransaction(service.db, async (tx) => {
    for (const order of orders) await countIn(tx, order, order.created_at)
  })
  return orders
}

describe('the slots of days that are over', () => {
  test('become one, and every sum stays', async () => {
    const { companyId } = await service.openShop()
    const other = await service.openShop()
    await fill(companyId)
    await fill(other.companyId)
    const before = await sums(companyId)
    const over = (rows: Sum[]) => rows.filter(({ day }) => day === DAYS[0] || day === DAYS[1])
    assert.ok(over(before).every(({ slots }) => slots > 1))
    for (let times = 0; times < 2; times += 1) {
      await inTransaction(service.db, (tx) => mergeCounts(tx, at(DAYS[2])))
      const after = await sums(companyId)
      assert.deepEqual(withoutSlots(after), withoutSlots(before))
      assert.ok(over(after).every(({ slots }) => slots === 1))
      assert.deepEqual(
        after.filter((row) => !over(after).includes(row)),
        before.filter((row) => !over(before).includes(row)),
      )
      assert.deepEqual(withoutSlots(await sums(other.companyId)), withoutSlots(before))
    }
  })

  test('lose nothing that is counted in the meantime', async () => {
    const { companyId } = await service.openShop()
    const orders = await fill(companyId)
    const now = at(DAYS[2])
    const late = { ...orders[0]!, id: 999, financial_status: 'refunded' } as const
    await Promise.all([
      ...orders
        .filter(({ fulfillment_status }) => fulfillment_status === null)
        .map((order) =>
          inTransaction(service.db, (tx) => recount(tx, order, { ...order, fulfillment_status: 'fulfilled' }, now)),
        ),
      ...Array.from({ length: 8 }, () => inTransaction(service.db, (tx) => mergeCounts(tx, now))),
      ...Array.from({ length: 8 }, () => inTransaction(service.db, (tx) => countIn(tx, late, now))),
    ])
    const amounts = Object.fromEntries(
      (await sums(companyId)).map(({ day, status, amount }) => [`${day} ${status}`, amount]),
    )
    assert.deepEqual(amounts, {
      '-infinity paid ': 0,
      '-infinity paid fulfilled': 120,
      '-infinity refunded ': 8,
      '2026-01-01 paid ': 0,
      '2026-01-01 paid fulfilled': 40,
      '2026-01-01 refunded ': 8,
      '2026-01-02 paid ': 0,
      '2026-01-02 paid fulfilled': 40,
      '2026-01-05 paid ': 0,
      '2026-01-05 paid fulfilled': 40,
    })
  })

  // A count whose only slot is a high one becomes slot 0 while another transaction creates slot 0.
  test('work with a count that is created in the meantime', async () => {
    const { companyId } = await service.openShop()
    const order = (await fill(companyId))[0]!
    await sql`delete from order_counts as one using order_counts as other
      where one.company_id = ${companyId} and other.company_id = one.company_id and other.day = one.day
        and other.financial_status = one.financial_status and other.fulfillment_status = one.fulfillment_status
        and other.slot > one.slot`.execute(service.db)
    await sql`update order_counts set slot = 8 where company_id = ${companyId}`.execute(service.db)
    const before = await sums(companyId)
    assert.ok(before.length > 0)
    let merged: Promise<void> | undefined
    await inTransaction(service.db, async (tx) => {
      await countIn(tx, order, at(DAYS[2]))
      merged = inTransaction(service.db, (other) => mergeCounts(other, at(DAYS[2])))
      await untilWaiting(service, 1)
    })
    await merged
    const total = (rows: Sum[]) => rows.reduce((sum, { amount }) => sum + amount, 0)
    assert.equal(total(await sums(companyId)), total(before) + 2)
  })
})

test('the worker merges them', async () => {
  const { companyId } = await service.openShop()
  await fill(companyId)
  const { db, clock, files, vault } = service
  const log = createLog('debug', { write: () => {} })
  const outbound = createOutbound({})
  const notices = createNotices(poolOf(db), log)
  const parts = { db, notices, vault, clock, log, files, outbound, metrics: createMetrics(), mail: undefined }
  const worker = createWorker({
    ...parts,
    dns: createDns(),
    ownHost: 'localhost',
    uploadFolder: '.uploads',
    currencyRatesUrl: '',
    serviceUrls: { stripe: '', vies: '' },
    baseUrl: 'http://localhost',
  })
  const isMerged = async () => (await sums(companyId)).every(({ day, slots }) => day === '-infinity' || slots === 1)
  assert.ok(!(await isMerged()))
  worker.start()
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isMerged())) assert.ok(Date.now() < deadline)
  await worker.stop()
  await outbound.close()
})
