import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import { closeEndedDays } from '#insight/visits/ended-days.worker.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { addUsesToDays, correctUsageDays } from '#rights/entitlements/uses/commands.ts'
import { foldChanges } from '#selling/orders/counts/fold.commands.ts'
import { resetCounts } from '#selling/orders/counts/reset.commands.ts'
import { correctCartDays } from '#shop/checkout/abandoned/commands.ts'
import { countLeftCarts } from '#shop/checkout/abandoned/left-carts.worker.ts'
import type { Service } from '../harness.ts'
import { untilWaiting } from '../in-line.ts'

const log = createLog('silent')

/** A rebuild is rare, because it mends what was counted wrong before. */
export const workerStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('add up' as const), workers: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('die' as const, 'end days' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
)

export type WorkerStep = typeof workerStep extends fc.Arbitrary<infer Step> ? Step : never

const chores = (service: Service) => [
  foldChanges(service.db),
  countLeftCarts(service.db, nowInSeconds(service.clock), log),
  inTransaction(service.db, (tx) => addUsesToDays(tx, 1000)),
]

/** Does the work of the statistics, or dies of it. Returns whether it has looked for carts that were left. */
export async function runWorker(service: Service, companyId: number, step: WorkerStep): Promise<boolean> {
  if (step.kind === 'add up') await Promise.all(Array.from({ length: step.workers }, () => chores(service)).flat())
  else if (step.kind === 'die') await die(service)
  else if (step.kind === 'end days') await closeEndedDays(service.db, service.clock.now())
  else await rebuild(service, companyId)
  return step.kind === 'add up' || step.kind === 'die'
}

async function rebuild({ db, clock }: Service, companyId: number): Promise<void> {
  await inTransaction(db, (tx) => resetCounts(tx, companyId))
  await inTransaction(db, (tx) => correctCartDays(tx, companyId))
  await inTransaction(db, (tx) => correctUsageDays(tx, companyId, nowInSeconds(clock)))
}

/** The worker dies in the middle of adding up, when it has deleted the changes and not yet written the counts. */
async function die(service: Service): Promise<void> {
  await inTransaction(service.db, async (tx) => {
    await sql`lock table order_counts, cart_days, usage_days in share mode`.execute(tx)
    const dying = chores(service).map((chore) => assert.rejects(chore))
    await untilWaiting(service, dying.length)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    await Promise.all(dying)
  })
}
