import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { addUsesToDays, correctUsageDays } from './commands.ts'

const service = useService()

test('days that are corrected while uses are added to them do not block each other', async () => {
  const { companyId } = await service.openShop()
  const now = service.clock.now()
  const use = (product: number) =>
    sql`insert into usage_changes (company_id, at, product_key, product_id, plays, downloads, seconds)
      values (${companyId}, ${now}, ${product}, ${`product ${product}`}, 1, 0, 0)`.execute(service.db)
  let attempts = 0
  const start = <Result>(work: (tx: Tx) => Promise<Result>) =>
    inTransaction(service.db, (tx) => {
      attempts += 1
      return work(tx)
    })
  await Promise.all([use(1), use(2)])
  await inTransaction(service.db, (tx) => addUsesToDays(tx, 10))
  await use(1)
  const { both } = await inTransaction(service.db, async (tx) => {
    // The correction has the day of the first product, and waits for that of the second.
    await sql`select from usage_days where company_id = ${companyId} and product_key = 2 for update`.execute(tx)
    const corrected = start((other) => correctUsageDays(other, companyId, now))
    await untilWaiting(service, 1)
    const added = start((other) => addUsesToDays(other, 10))
    await untilWaiting(service, 2)
    return { both: Promise.all([corrected, added]) }
  })
  await both
  assert.equal(attempts, 2)
})
