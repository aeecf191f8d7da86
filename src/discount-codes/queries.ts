import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { discountCodeNotFound } from './errors.ts'
import { oneSpelling } from './rules.ts'
import type { DiscountCodeState } from './state.ts'

export const DISCOUNT_CODES = 'discount_codes'

/** Every read of discount codes starts here, so none can forget the company. */
function discountCodesOf(db: Db, companyId: number) {
  return db.selectFrom('discount_codes').where('discount_codes.company_id', '=', companyId)
}

function wholeCodesOf(db: Db, companyId: number) {
  return discountCodesOf(db, companyId).selectAll().$narrowType<Pick<DiscountCodeState, 'type'>>()
}

const allOf = prepareList((db: Db, { company }: { company: number }) => wholeCodesOf(db, company))

export function listDiscountCodes(db: Db, companyId: number): RowList<DiscountCodeState> {
  return allOf(db, { company: companyId })
}

const countAfter = prepare((db: Db, companyId: number, after: number) =>
  discountCodesOf(db, companyId)
    .where('discount_codes.id', '>', after)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** Counts in the index: codes are few beside orders, and rarely counted. */
export async function countDiscountCodes(db: Db, companyId: number, sinceId = 0): Promise<number> {
  const [row] = await countAfter(db, companyId, sinceId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  wholeCodesOf(db, companyId).where('discount_codes.id', '=', id).compile(),
)

/** A discount code; another company's is not found. */
export async function getDiscountCode(db: Db, companyId: number, ref: string): Promise<DiscountCodeState> {
  const [code] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (code === undefined) throw discountCodeNotFound(ref)
  return code
}

/** getDiscountCode that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockDiscountCode(tx: Tx, companyId: number, ref: string): Promise<DiscountCodeState> {
  if (!/^\d{1,15}$/.test(ref)) throw discountCodeNotFound(ref)
  const code = await wholeCodesOf(tx, companyId)
    .where('discount_codes.id', '=', Number(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (code === undefined) throw discountCodeNotFound(ref)
  return code
}

/** The discount code that customers enter so; undefined if there is none. */
export function findDiscountCode(db: Db, companyId: number, code: string): Promise<DiscountCodeState | undefined> {
  return wholeCodesOf(db, companyId).where(sql<string>`upper(code)`, '=', oneSpelling(code)).executeTakeFirst()
}

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
  const rows = await wholeCodesOf(tx, companyId)
    .where(sql<string>`upper(code)`, '=', sql<string>`any(${spellings}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((row) => [oneSpelling(row.code), row]))
}
