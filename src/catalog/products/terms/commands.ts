import type { ChangedTerms } from '#catalog/term-changes/jobs.ts'
import { emit } from '#history/events/emit.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { readMirrorsOf } from '../mirrors/queries.ts'
import { lockProducts } from '../queries.ts'
import { eventData, writeDocuments } from '../rows.commands.ts'
import { FOLLOW_TERMS_ON } from './jobs.ts'
import { readKeysNaming } from './queries.ts'

/** How many products are changed in one transaction, apart from their mirrors: few enough that a sale waits for a moment only. */
const BATCH = 500

/**
 * Changes the next products that show changed terms, and their mirrors in other companies, and leaves the rest to another job.
 * The place is in the job, so a worker that dies loses nothing and repeats nothing.
 */
export async function followTerms(
  tx: Tx,
  companyId: number,
  terms: ChangedTerms,
  after: number,
  now: Date,
): Promise<void> {
  const keys = await readKeysNaming(tx, companyId, terms, after, BATCH)
  await touchProducts(tx, companyId, keys, now)
  for (const [mirroring, mirrors] of await readMirrorsOf(tx, companyId, keys))
    await touchProducts(tx, mirroring, mirrors, now)
  const last = keys.at(-1)
  if (last === undefined || keys.length < BATCH) return
  await enqueue(tx, { kind: FOLLOW_TERMS_ON, companyId, data: { ...terms, after: last } }, now)
}

/** Their pages have changed with the terms already, and their mirrors show no more of the terms than they do. */
async function touchProducts(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  if (keys.length === 0) return
  const products = (await lockProducts(tx, companyId, keys)).map((product) => ({ ...product, updated_at: now }))
  await Promise.all([
    writeDocuments(tx, companyId, products),
    emit(tx, companyId, 'product/update', now, products.map(eventData)),
  ])
}
