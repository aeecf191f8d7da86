import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { oneSpelling } from './rules.ts'
import type { DiscountCodeState } from './state.ts'

export const DISCOUNT_CODES = 'discount_codes'

/**
 * Locks discount codes until the transaction ends, so that none is used more often than allowed. The map is keyed by
 * the normalized code. Unknown codes are left out.
 */
export async function lockDiscountCodes(
  tx: Tx,
  companyId: number,
  codes: readonly string[],
): Promise<Map<string, DiscountCodeState>> {
  const spellings = codes.map(oneSpelling).filter((code) => !code.includes('\0'))
  if (spellings.length === 0) return new Map()
  const rows = await tx
    .selectFrom('discount_codes')
    .selectAll()
    .$narrowType<Pick<DiscountCodeState, 'type'>>()
    .where('company_id', '=', companyId)
    .where(sql<string>`upper(code)`, '=', sql<string>`any(${spellings}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((row) => [oneSpelling(row.code), row]))
}
