import { GENERAL } from '#catalog/licenses/rules.ts'
import { readCompanyIds } from '#identity/companies/queries.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { StoredDocuments } from '#platform/resource.ts'
import { RESOURCES } from '../resources.ts'

const BATCH = 500
const COUNT_BATCH = 10_000

/** The number of documents written, for each resource. */
export type Rebuilt = Record<string, number>

const STORED = RESOURCES.flatMap(({ documents }) => documents ?? [])

/** General licenses belong to no company, and are stored under a company id of their own. */
async function readOwnerIds(db: Db): Promise<number[]> {
  return [GENERAL, ...(await readCompanyIds(db))]
}

/** The number of documents that a rebuild would write now. Only ids are read, so it takes a small part of its time. */
export async function countDocuments(db: Db): Promise<number> {
  let count = 0
  for (const companyId of await readOwnerIds(db)) {
    for (const { readIds } of STORED) {
      let ids = await readIds(db, companyId, 0, COUNT_BATCH)
      while (ids.length > 0) {
        count += ids.length
        ids = ids.length < COUNT_BATCH ? [] : await readIds(db, companyId, ids.at(-1) ?? 0, COUNT_BATCH)
      }
    }
  }
  return count
}

/** Writes every stored document again, after a presenter has changed, and corrects the counters. */
export async function rebuild(db: Db, onProgress: (done: number) => void = () => {}): Promise<Rebuilt> {
  for (const { beforeRebuild } of RESOURCES) await beforeRebuild?.(db, nowInSeconds(machineClock))
  const done: Rebuilt = Object.fromEntries(STORED.map(({ name }) => [name, 0]))
  let all = 0
  const onBatch = (name: string) => (count: number) => {
    done[name] = (done[name] ?? 0) + count
    all += count
    onProgress(all)
  }
  for (const companyId of await readOwnerIds(db)) {
    const now = await readCompanyTime(db, companyId)
    for (const documents of STORED) {
      await rewriteAll(db, companyId, documents, now, onBatch(documents.name))
      if (companyId !== GENERAL) await inTransaction(db, async (tx) => documents.recount?.(tx, companyId))
    }
    for (const { recount } of RESOURCES)
      if (companyId !== GENERAL) await inTransaction(db, async (tx) => recount?.(tx, companyId, now))
  }
  return done
}

/** Goes through all ids in order, one transaction per batch, so that the service can keep working. */
async function rewriteAll(
  db: Db,
  companyId: number,
  { readIds, rewrite }: StoredDocuments,
  now: Date,
  onBatch: (count: number) => void,
): Promise<void> {
  for (let ids = await readIds(db, companyId, 0, BATCH); ids.length > 0; ) {
    const batch = ids
    await inTransaction(db, (tx) => rewrite(tx, companyId, batch, now))
    onBatch(batch.length)
    ids = await readIds(db, companyId, batch.at(-1) ?? 0, BATCH)
  }
}
