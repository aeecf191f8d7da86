import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { Given, RedemptionCodeState, SoldCode } from './state.ts'

/** How codes are stored. */

const insertSold = prepareWrite('insert', 'redemption_codes', (tx: Tx, companyId: number, rows: string, now: Date) =>
  sql`insert into redemption_codes (company_id, code, product_key, product_id, title, hd, audio_type, num_users,
      license_id, license_title, terms, contents, test, uses_max, order_id, line_id, on_hold, note,
      created_at, updated_at)
    select ${companyId}, code, product_key, product_id, title, hd, audio_type, num_users, license_id,
      license_title, terms, contents, test, uses_max, order_id, line_id, on_hold, '', ${now}::timestamptz,
      ${now}::timestamptz
    from json_to_recordset(${rows}::json) as sold (code text, product_key bigint, product_id text,
      title text, hd boolean, audio_type integer, num_users integer, license_id bigint, license_title text,
      terms jsonb, contents jsonb, test boolean, uses_max integer, order_id bigint,
      line_id bigint, on_hold boolean)`.compile(tx),
)

/** Adds the codes of an order. It only writes, so that it costs an order little. */
export async function insertSoldCodes(tx: Tx, companyId: number, codes: readonly SoldCode[], now: Date): Promise<void> {
  if (codes.length > 0) await insertSold(tx, companyId, JSON.stringify(codes), now)
}

const insertMade = prepareWrite(
  'insert',
  'redemption_codes',
  (tx: Tx, companyId: number, template: string, ids: number[], codes: string[]) =>
    sql`insert into redemption_codes (company_id, id, code, product_key, product_id, title, hd, audio_type, num_users,
      license_id, license_title, terms, contents, test, uses_max, on_hold, note, expires_at, created_at,
      updated_at, group_id, member_until, member_days)
    select ${companyId}, made.id, made.code, product_key, product_id, title, hd, audio_type, num_users,
      license_id, license_title, terms, contents, test, uses_max, on_hold, note, expires_at, created_at, updated_at,
      group_id, member_until, member_days
    from json_to_record(${template}::json) as template (product_key bigint, product_id text, title text,
        hd boolean, audio_type integer, num_users integer, license_id bigint, license_title text, terms jsonb,
        contents jsonb, test boolean, uses_max integer, on_hold boolean, note text,
        expires_at timestamptz, created_at timestamptz, updated_at timestamptz, group_id text,
        member_until timestamptz, member_days integer)
      cross join unnest(${ids}::bigint[], ${codes}::text[]) as made (id, code)`.compile(tx),
)

/** Adds codes that differ by id and code alone. */
export async function insertCodes(tx: Tx, companyId: number, codes: readonly RedemptionCodeState[]): Promise<void> {
  const [template] = codes
  if (template === undefined) return
  await insertMade(
    tx,
    companyId,
    JSON.stringify(template),
    codes.map(({ id }) => id),
    codes.map(({ code }) => code),
  )
}

const insertOwn = prepare((tx: Tx, companyId: number, row: string, now: Date) =>
  sql<
    Columns<'redemption_codes', 'id'>
  >`insert into redemption_codes (company_id, code, own, product_key, product_id, title,
      hd, audio_type, num_users, license_id, license_title, terms, contents, test, uses_max, on_hold, note, expires_at,
      created_at, updated_at)
    select ${companyId}, code, true, product_key, product_id, title, hd, audio_type, num_users, license_id, license_title,
      terms, contents, test, uses_max, false, note, expires_at, ${now}::timestamptz, ${now}::timestamptz
    from json_to_record(${row}::json) as printed (code text, product_key bigint, product_id text, title text, hd boolean,
      audio_type integer, num_users integer, license_id bigint, license_title text, terms jsonb, contents jsonb,
      test boolean, uses_max integer, note text, expires_at timestamptz)
    on conflict do nothing returning id`.compile(tx),
)

/** Adds a code that was printed elsewhere, and returns its id; undefined if the company has it already. */
export async function insertOwnCode(
  tx: Tx,
  companyId: number,
  code: Given & Pick<RedemptionCodeState, 'code' | 'uses_max' | 'expires_at' | 'note'>,
  now: Date,
): Promise<number | undefined> {
  const [row] = await insertOwn(tx, companyId, JSON.stringify(code), now)
  return row?.id
}
