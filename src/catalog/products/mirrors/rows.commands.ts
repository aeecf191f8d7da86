import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { Original } from '../state.ts'
import type { FollowedChange } from './rules.ts'

/** How mirrored products are tied to their originals, and which originals have changed since their mirrors followed. */

/** Ties new mirrors to the originals of one owner, each for the percent that was agreed. */
export async function insertMirrors(
  tx: Tx,
  companyId: number,
  ownerId: number,
  mirrors: readonly { key: number; originalKey: number }[],
  percent: number,
): Promise<void> {
  const keys = mirrors.map(({ key }) => key)
  const originals = mirrors.map(({ originalKey }) => originalKey)
  await sql`insert into product_mirrors (company_id, product_key, owner_id, original_key, cost_to_licensees_percent)
    select ${companyId}, mirror.product_key, ${ownerId}, mirror.original_key, ${percent}
    from unnest(${keys}::bigint[], ${originals}::bigint[]) as mirror (product_key, original_key)`.execute(tx)
}

export async function setPercent(tx: Tx, companyId: number, keys: readonly number[], percent: number): Promise<void> {
  await sql`update product_mirrors set cost_to_licensees_percent = ${percent}
    where company_id = ${companyId} and product_key = any(${keys}::bigint[])
      and cost_to_licensees_percent <> ${percent}`.execute(tx)
}

/** Notes what mirrors have taken over from their originals. */
export async function noteFollowed(
  tx: Tx,
  companyId: number,
  followed: readonly { key: number; changes: readonly FollowedChange[] }[],
  now: Date,
): Promise<void> {
  if (followed.length === 0) return
  // What changed within a day is told together: a picture, for example, is fetched after the text beside it was saved.
  await sql`update product_mirrors set followed_at = ${now}, followed_changes = case
      when followed_at > ${now}::timestamptz - interval '1 day'
      then array(select distinct change from unnest(followed_changes || note.changes) as change order by change)
      else note.changes end
    from (select each.key, array(select json_array_elements_text(each.changes)) as changes
      from json_to_recordset(${JSON.stringify(followed)}::json) as each (key bigint, changes json)) as note
    where product_mirrors.company_id = ${companyId} and product_mirrors.product_key = note.key`.execute(tx)
}

/** Takes up to so many changed originals off the list. A change that is under way is waited for: it locks its row. */
export async function takeChanges(tx: Tx, ownerId: number, limit: number): Promise<Original['id'][]> {
  const { rows } = await sql<Columns<'original_changes', 'original_key'>>`delete from original_changes
    where company_id = ${ownerId} and original_key in (
      select original_key from original_changes where company_id = ${ownerId}
      order by original_key limit ${limit} for update)
    returning original_key`.execute(tx)
  return rows.map(({ original_key }) => original_key)
}
