import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Filled, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { type PageRequest, prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { normalizeTypedCode } from '#platform/wire/typed-codes.ts'
import { type DeviceOwner, getOwner } from '#rights/entitlements/devices/queries.ts'
import type { Viewer } from '#rights/entitlements/queries.ts'
import { readTerms, type StoredTerms } from '#rights/entitlements/rules.ts'
import { redemptionCodeNotFound } from './errors.ts'
import { readContents, type StoredContent } from './rules.ts'
import type { GiftState, ListedCode, RedemptionCodeState, RedemptionState } from './state.ts'

export const REDEMPTION_CODES = 'redemption_codes'

/** Every read of redemption codes starts here, so none can forget the company. */
export function codesOf(db: Db, companyId: number) {
  return db.selectFrom('redemption_codes').where('redemption_codes.company_id', '=', companyId)
}

type Codes = ReturnType<typeof codesOf>

function wholeCodes(codes: Codes) {
  return codes.selectAll('redemption_codes').$narrowType<{ terms: StoredTerms; contents: StoredContent[] }>()
}

type WholeRow = Awaited<ReturnType<ReturnType<typeof wholeCodes>['executeTakeFirstOrThrow']>>

function readRow({ terms, contents, ...row }: WholeRow): RedemptionCodeState {
  return { ...row, terms: readTerms(terms), contents: readContents(contents) }
}

/** The last gift of a code, as JSON; its times are texts. */
const lastGift = sql<StoredGift | null>`(select to_json(gift) from redemption_gifts as gift
  where gift.company_id = redemption_codes.company_id and gift.code_id = redemption_codes.id
  order by gift.id desc limit 1)`

type StoredGift = Omit<GiftState, 'send_at' | 'sent_at' | 'called_back_at'> & {
  send_at: string
  sent_at: string | null
  called_back_at: string | null
}

const timeOrNull = (text: string | null) => (text === null ? null : new Date(text))

function readListed({ gift, ...row }: WholeRow & { gift: StoredGift | null }): ListedCode {
  return {
    ...readRow(row),
    gift: gift && {
      ...gift,
      send_at: new Date(gift.send_at),
      sent_at: timeOrNull(gift.sent_at),
      called_back_at: timeOrNull(gift.called_back_at),
    },
  }
}

/** The form by which a code is found, as the index `redemption_codes_typed` has it. */
export const typedForm = sql<
  Row<'redemption_codes'>['code']
>`upper(translate(redemption_codes.code, ' -', '') collate "C")`

export type CodeFilters = Optional<{ product_id: string; order_id: number; code: string; beginning: string }>

type GivenFilters = CodeFilters & Optional<{ since_id: number }>

const FILTERS: Filters<Codes, GivenFilters> = {
  product_id: (codes, productId) => codes.where('redemption_codes.product_id', '=', productId),
  order_id: (codes, id) => codes.where('redemption_codes.order_id', '=', id),
  code: (codes, code) => codes.where(condition`${typedForm} = ${code}::text`),
  beginning: (codes, text) => codes.where(condition`starts_with(${typedForm}, ${text}::text)`),
  since_id: (codes, id) => codes.where('redemption_codes.id', '>', id),
}

const listed = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) =>
  wholeCodes(narrow(codesOf(db, company), FILTERS, filters)).select(lastGift.as('gift')),
)

export function listRedemptionCodes(db: Db, companyId: number, filters: CodeFilters = {}): RowList<ListedCode> {
  const rows = listed(db, { ...filters, company: companyId })
  return Object.assign(async (page: PageRequest) => (await rows(page)).map(readListed), { countUpTo: rows.countUpTo })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number) =>
  narrow(codesOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** Counts in the index: codes are few beside orders, and rarely counted. */
export async function countRedemptionCodes(db: Db, companyId: number, filters: GivenFilters): Promise<number> {
  const [row] = await counted(db, filters, companyId)
  return row?.count ?? 0
}

/** The customer for whom a code is redeemed. A caller who acts for one customer finds no other. */
export function getRedeemer(db: Db, viewer: Viewer, ref: string): Promise<DeviceOwner> {
  return getOwner(db, viewer, ref)
}

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

const byId = prepare((db: Db, companyId: number, id: number) =>
  wholeCodes(codesOf(db, companyId)).select(lastGift.as('gift')).where('redemption_codes.id', '=', id).compile(),
)

/** A redemption code; another company's is not found. */
export async function getRedemptionCode(db: Db, companyId: number, ref: string): Promise<ListedCode> {
  const [row] = isId(ref) ? await byId(db, companyId, Number(ref)) : []
  if (row === undefined) throw redemptionCodeNotFound(ref)
  return readListed(row)
}

/** getRedemptionCode that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockRedemptionCode(tx: Tx, companyId: number, ref: string): Promise<RedemptionCodeState> {
  const row = isId(ref)
    ? await wholeCodes(codesOf(tx, companyId))
        .where('redemption_codes.id', '=', Number(ref))
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw redemptionCodeNotFound(ref)
  return readRow(row)
}

/** The code that is shown or was typed so, locked until the transaction ends; undefined if the company has no such code. */
export async function lockTypedCode(tx: Tx, companyId: number, code: string): Promise<RedemptionCodeState | undefined> {
  const row = await wholeCodes(codesOf(tx, companyId))
    .where(condition`${typedForm} = ${normalizeTypedCode(code)}::text`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && readRow(row)
}

/** Every read of redemptions starts here, so none can forget the company. */
function redemptionsOf(db: Db, companyId: number, codeId: number) {
  return db
    .selectFrom('redemptions')
    .where('redemptions.company_id', '=', companyId)
    .where('redemptions.code_id', '=', codeId)
}

const listedRedemptions = prepareList((db: Db, { company, codeId }: { company: number; codeId: number }) =>
  redemptionsOf(db, company, codeId)
    .select(['redemptions.company_id', 'redemptions.id', 'redemptions.code_id', 'redemptions.customer_token'])
    // The driver reads whole numbers of this size as numbers, but not in lists.
    .select([
      'redemptions.created_at',
      sql<Row<'redemptions'>['entitlement_ids']>`redemptions.entitlement_ids::float8[]`.as('entitlement_ids'),
    ]),
)

/** The customers who redeemed a code. */
export function listRedemptions(db: Db, companyId: number, codeId: number): RowList<RedemptionState> {
  return listedRedemptions(db, { company: companyId, codeId })
}

/** When a code was first mailed to each person, apart from one. */
export async function listGiftsToOthers(
  db: Db,
  { company_id, id }: RedemptionCodeState,
  email: string,
): Promise<Date[]> {
  const { rows } = await sql<Filled<'redemption_gifts', 'sent_at'>>`select min(sent_at) as sent_at from redemption_gifts
    where company_id = ${company_id} and code_id = ${id} and sent_at is not null and lower(email) <> lower(${email})
    group by lower(email)`.execute(db)
  return rows.map(({ sent_at }) => sent_at)
}

/** When a code was redeemed after a time. */
export async function listRedeemedAt(db: Db, { company_id, id }: RedemptionCodeState, since: Date): Promise<Date[]> {
  const rows = await redemptionsOf(db, company_id, id)
    .select('redemptions.created_at')
    .where('redemptions.created_at', '>', since)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

export async function readCodeIdsOfOrder(db: Db, companyId: number, orderId: number): Promise<number[]> {
  const rows = await codesOf(db, companyId)
    .select('redemption_codes.id')
    .where('redemption_codes.order_id', '=', orderId)
    .orderBy('redemption_codes.id')
    .execute()
  return rows.map(({ id }) => id)
}
