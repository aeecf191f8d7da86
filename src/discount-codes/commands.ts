import { sql } from 'kysely'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/problem.ts'
import { codeTaken } from './errors.ts'
import { DISCOUNT_CODES } from './queries.ts'
import { newDiscountCode } from './rules.ts'
import type { DiscountCodeInput } from './schema.ts'
import type { DiscountCodeState } from './state.ts'

/** Makes a discount code. */
export async function createDiscountCode(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  input: DiscountCodeInput,
  now: Date,
): Promise<DiscountCodeState> {
  const { takeRowId } = await takeIds(tx, DISCOUNT_CODES, 1, 0)
  const code = newDiscountCode(companyId, takeRowId(), input, now)
  const added = await tx
    .insertInto('discount_codes')
    .values(code)
    .onConflict((conflict) => conflict.expression(sql`company_id, upper(code)`).doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) throw validationFailed('code', codeTaken())
  return code
}

/** Counts an order that uses codes, or one that no longer does (-1). */
export async function countUses(tx: Tx, companyId: number, ids: readonly number[], by: 1 | -1): Promise<void> {
  if (ids.length === 0) return
  await sql`update discount_codes set used = greatest(0, used + ${by}::int)
    where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(tx)
}
