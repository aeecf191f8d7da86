import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { anyOf, type Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Original } from '../state.ts'

/** Every read of product mirrors starts here, so none can forget the company. */
export function mirrorsOf(db: Db, companyId: number) {
  return db.selectFrom('product_mirrors').where('product_mirrors.company_id', '=', companyId)
}

/** The originals of mirrored products, by the key of the mirror. */
export async function readOriginals(db: Db, companyId: number, keys: number[]): Promise<Map<number, Original>> {
  if (keys.length === 0) return new Map()
  const rows = await mirrorsOf(db, companyId)
    .select(['product_key', 'owner_id', 'original_key'])
    .where('product_key', '=', anyOf(keys))
    .execute()
  return new Map(
    rows.map(({ product_key, owner_id, original_key }) => [product_key, { company_id: owner_id, id: original_key }]),
  )
}

/** The mirrors of an owner's products in all companies, by company. */
export async function readMirrorsOf(db: Db, ownerId: number, originals: number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<Columns<'product_mirrors', 'company_id' | 'product_key'>>`
    select company_id, product_key from product_mirrors
    where owner_id = ${ownerId} and original_key = any(${originals}::bigint[])
    order by company_id, product_key`.execute(db)
  const byCompany = Map.groupBy(rows, ({ company_id }) => company_id)
  return new Map([...byCompany].map(([company, mirrors]) => [company, mirrors.map(({ product_key }) => product_key)]))
}

const selectMirrored = prepare((db: Db, owners: number[], keys: number[]) =>
  sql<
    Columns<'product_mirrors', 'owner_id' | 'original_key'>
  >`select distinct owner_id, original_key from product_mirrors
    where (owner_id, original_key) in (
      select * from unnest(${owners}::bigint[], ${keys}::bigint[]) as wanted (owner_id, original_key))`.compile(db),
)

/** Which of some products other companies mirror, by their owner. */
export async function findMirrored(db: Db, products: readonly Original[]): Promise<Map<number, number[]>> {
  const owners = products.map(({ company_id }) => company_id)
  const keys = products.map(({ id }) => id)
  const byOwner = Map.groupBy(await selectMirrored(db, owners, keys), ({ owner_id }) => owner_id)
  return new Map([...byOwner].map(([owner, rows]) => [owner, rows.map(({ original_key }) => original_key)]))
}
