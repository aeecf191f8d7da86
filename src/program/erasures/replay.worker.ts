import { deleteCustomer } from '#people/customers/commands.ts'
import { eraseTraces } from '#people/customers/erasure.worker.ts'
import { type Erasure, findReturned, noteErasures } from '#people/customers/erasures/commands.ts'
import { ERASE_TRACES } from '#people/customers/jobs.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Files } from '#platform/files/files.ts'
import { deleteJobsWith } from '#platform/jobs/queue.ts'
import { FORGETTING } from '#program/forgetting.ts'
import { deleteUnusedCopies } from '#rights/stamping/make-copy.worker.ts'

type Dependencies = { db: Db; files: Files; clock: Clock }

/**
 * Erases again whom companies had erased since the database was as it is now, with everything that a job would erase later. Another
 * process may do it at the same time. Returns how many customers were there again.
 */
export async function replayErasures(
  { db, files, clock }: Dependencies,
  erasures: readonly Erasure[],
): Promise<number> {
  const returned = await findReturned(db, erasures)
  let count = 0
  for (const { company_id: companyId, customer_id } of returned) {
    const data = await inTransaction(db, (tx) =>
      deleteCustomer(tx, { companyId }, String(customer_id), FORGETTING, clock.of(companyId)),
    ).catch((error) => {
      // Another process was faster.
      if (error instanceof Problem && error.code === 'not_found') return undefined
      throw error
    })
    if (data === undefined) continue
    await eraseTraces(db, { companyId, data }, FORGETTING)
    await inTransaction(db, (tx) => deleteJobsWith(tx, ERASE_TRACES, companyId, 'token', data.token))
    count += 1
  }
  if (count > 0) await deleteUnusedCopies({ db, files, clock })
  await inTransaction(db, (tx) => noteErasures(tx, erasures))
  return count
}
