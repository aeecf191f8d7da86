import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { codeTaken } from './errors.ts'
import { presentDiscountCode } from './present.ts'
import { DISCOUNT_CODES, lockDiscountCode } from './queries.ts'
import { changeDiscountCode, newDiscountCode } from './rules.ts'
import type { DiscountCodeChange, DiscountCodeInput } from './schema.ts'
import type { DiscountCodeState } from './state.ts'

/** Creates a discount code. */
export async function createDiscountCode(
  tx: Tx,
  author: Author,
  input: DiscountCodeInput,
  now: Date,
): Promise<Written<DiscountCodeState>> {
  const { takeRowId } = await takeIds(tx, DISCOUNT_CODES, 1, 0)
  const code = newDiscountCode(author.companyId, takeRowId(), input, now)
  await tx.insertInto('discount_codes').values(code).execute().catch(refuseTaken)
  await recordChange(tx, author, 'discount code created', inWords(code), now)
  return written(code)
}

/** Changes the fields that the input names. Orders that used the code keep what it took off. */
export async function updateDiscountCode(
  tx: Tx,
  author: Author,
  ref: string,
  input: DiscountCodeChange,
  now: Date,
): Promise<Written<DiscountCodeState>> {
  const code = changeDiscountCode(await lockDiscountCode(tx, author.companyId, ref), input, now)
  await tx
    .updateTable('discount_codes')
    .set(code)
    .where('company_id', '=', code.company_id)
    .where('id', '=', code.id)
    .execute()
    .catch(refuseTaken)
  await recordChange(tx, author, 'discount code changed', inWords(code), now)
  return written(code)
}

/** Deletes a discount code. An order that is using it now is finished first. */
export async function deleteDiscountCode(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const code = await lockDiscountCode(tx, author.companyId, ref)
  await tx.deleteFrom('discount_codes').where('company_id', '=', code.company_id).where('id', '=', code.id).execute()
  await recordChange(tx, author, 'discount code deleted', inWords(code), now)
}

/** Counts an order that uses codes, or one that no longer does (-1). */
export async function countUses(tx: Tx, companyId: number, ids: readonly number[], by: 1 | -1): Promise<void> {
  if (ids.length === 0) return
  await sql`update discount_codes set used = greatest(0, used + ${by}::int)
    where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(tx)
}

function written(code: DiscountCodeState): Written<DiscountCodeState> {
  return { state: code, document: asciiJson(presentDiscountCode(code)) }
}

function inWords({ code, type, amount }: DiscountCodeState): string {
  return `${code}: ${type === 'percentage' ? `${amount} %` : `${amount} cents`}`
}

function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'discount_codes_code'
    ? validationFailed('code', codeTaken())
    : error
}
