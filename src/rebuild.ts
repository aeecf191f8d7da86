import { readCompanyIds } from '#companies/queries.ts'
import { GENERAL } from '#licenses/rules.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { StoredDocuments } from '#platform/resource.ts'
import { RESOURCES } from './resources.ts'

const BATCH = 500

/** The number of documents written, for each resource. */
export type Rebuilt = Record<string, number>

/** Writes every stored document again, after a presenter has changed, and corrects the counters. */
export async function rebuild(db: Db): Promise<Rebuilt> {
  for (const { beforeRebuild } of RESOURCES) await beforeRebuild?.(db, nowInSeconds(systemClock))
  const stored = RESOURCES.flatMap(({ documents }) => documents ?? [])
  const done: Rebuilt = Object.fromEntries(stored.map(({ name }) => [name, 0]))
  // General licenses belong to no company, and are stored under a company id of their own.
  for (const companyId of [GENERAL, ...(await readCompanyIds(db))]) {
    for (const documents of stored) {
      done[documents.name] = (done[documents.name] ?? 0) + (await rewriteAll(db, companyId, documents))
      if (companyId !== GENERAL) await inTransaction(db, async (tx) => documents.recount?.(tx, companyId))
    }
  }
  return done
}

/** Goes through all ids in order, one transaction per batch, so that the service can keep working. */
async function rewriteAll(db: Db, companyId: number, { readIds, rewrite }: StoredDocuments): Promise<number> {
  let count = 0
  for (let ids = await readIds(db, companyId, 0, BATCH); ids.length > 0; ) {
    const batch = ids
    await inTransaction(db, (tx) => rewrite(tx, companyId, batch))
    count += batch.length
    ids = await readIds(db, companyId, batch.at(-1) ?? 0, BATCH)
  }
  return count
}
