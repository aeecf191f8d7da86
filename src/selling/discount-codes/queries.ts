import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { discountCodeNotFound } from './errors.ts'
import type { DiscountCodeState } from './state.ts'

export const DISCOUNT_CODES = 'discount_codes'

/** Every read of discount codes starts here, so none can forget the company. */
function discountCodesOf(db: Db, companyId: number) {
  return db.selectFrom('discount_codes').where('discount_codes.company_id', '=', companyId)
}

function wholeCodes(codes: ReturnType<typeof discountCodesOf>) {
  return codes.selectAll().$narrowType<Pick<DiscountCodeState, 'type'>>()
}

function wholeCodesOf(db: Db, companyId: number) {
  return wholeCodes(discountCodesOf(db, companyId))
}

export type CodeFilters = Optional<{ q: string; since_id: number }>

/** Codes are few beside orders, so those of a company are read in the index of codes. */
const FILTERS: Filters<ReturnType<typeof discountCodesOf>, CodeFilters> = {
  q: (codes, text) => codes.where(condition`starts_with(upper(discount_codes.code), upper(${text}::text))`),
  since_id: (codes, id) => codes.where('discount_codes.id', '>', id),
}

const listed = prepareList((db: Db, { company, ...filters }: CodeFilters & { company: number }) =>
  wholeCodes(narrow(discountCodesOf(db, company), FILTERS, filters)),
)

export function listDiscountCodes(db: Db, companyId: number, { q }: CodeFilters = {}): RowList<DiscountCodeState> {
  return listed(db, { q, company: companyId })
}

const counted = prepareFamily((db: Db, filters: CodeFilters, companyId: number) =>
  narrow(discountCodesOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** Counts in an index: codes are rarely counted. */
export async function countDiscountCodes(db: Db, companyId: number, filters: CodeFilters): Promise<number> {
  const [row] = await counted(db, filters, companyId)
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
  return wholeCodesOf(db, companyId)
    .where(sql<string>`upper(code)`, '=', sql<string>`upper(${code.trim()}::text)`)
    .executeTakeFirst()
}

type BySpelling = ReadonlyMap<string, DiscountCodeState>

/**
 * Discount codes by the spellings that customers enter. PostgreSQL compares, as in the unique index: JavaScript would take
 * `straße` for `STRASSE`.
 */
function codesSpelled(db: Db, companyId: number, spellings: readonly string[]) {
  const entered = sql<string[]>`array(select spelling from unnest(${spellings}::text[]) as entered (spelling)
    where upper(spelling) = upper(discount_codes.code))`
  const folded = sql<string>`any(array(select upper(spelling) from unnest(${spellings}::text[]) as entered (spelling)))`
  return wholeCodesOf(db, companyId)
    .select(entered.as('spellings'))
    .where(sql<string>`upper(code)`, '=', folded)
    .orderBy('id')
}

type Spelled = ReturnType<typeof codesSpelled>

/** The map has the codes as they were passed. Unknown codes are left out. */
async function bySpelling(
  db: Db,
  companyId: number,
  codes: readonly string[],
  read: (spelled: Spelled) => Spelled,
): Promise<BySpelling> {
  const spellings = codes.map((code) => code.trim()).filter((code) => !code.includes('\0'))
  if (spellings.length === 0) return new Map()
  const rows = await read(codesSpelled(db, companyId, spellings)).execute()
  const known = new Map(rows.flatMap(({ spellings, ...row }) => spellings.map((spelling) => [spelling, row])))
  return new Map(
    codes.flatMap((code) => {
      const found = known.get(code.trim())
      return found === undefined ? [] : [[code, found]]
    }),
  )
}

export function readDiscountCodes(db: Db, companyId: number, codes: readonly string[]): Promise<BySpelling> {
  return bySpelling(db, companyId, codes, (spelled) => spelled)
}

/** Locks discount codes until the transaction ends, so that none is used more often than allowed. */
export function lockDiscountCodes(tx: Tx, companyId: number, codes: readonly string[]): Promise<BySpelling> {
  return bySpelling(tx, companyId, codes, (spelled) => spelled.forNoKeyUpdate())
}
