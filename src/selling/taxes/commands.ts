import { sql } from 'kysely'
import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { findVatIdCheck } from './queries.ts'
import { oldestUsed } from './rules.ts'
import type { VatIdCheck } from './state.ts'
import { askVies, type ViesOptions } from './vies.commands.ts'

export type VatIdWork = ViesOptions & {
  db: Db
  now: CompanyTime
  clock: MachineClock
  /** Runs a change in a transaction of its own. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/**
 * What the authorities say about a VAT id: their answer of the last day, or a new one. Undefined if they do not answer. No
 * transaction is open while they are asked.
 */
export async function checkVatId(
  work: VatIdWork,
  { companyId, vatId, sellerVatId }: { companyId: number; vatId: string; sellerVatId: string },
): Promise<VatIdCheck | undefined> {
  const known = await findVatIdCheck(work.db, companyId, vatId, work.now(companyId))
  if (known !== undefined) return known
  const answer = await askVies(work, vatId, sellerVatId)
  if (answer === undefined) return undefined
  const check = { company_id: companyId, vat_id: vatId, checked_at: work.now(companyId), ...answer }
  await work.change((tx) => recordCheck(tx, check))
  return check
}

/** Deletes a batch of answers that are too old to be used, and returns how many. */
export function deleteOldChecks(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'vat_id_checks', 'checked_at', sql`checked_at <= ${oldestUsed(now)}`)
}

async function recordCheck(tx: Tx, check: VatIdCheck): Promise<void> {
  await tx
    .insertInto('vat_id_checks')
    .values(check)
    .onConflict((conflict) => conflict.columns(['company_id', 'vat_id']).doUpdateSet(check))
    .execute()
}
