import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'

/** That a company has erased a customer, without saying whom. */
export type Erasure = { company_id: number; reference: string; erased_at: Date }

const referenceOf = (companyId: number, token: string) => hash('sha256', `${companyId}:${token}`)

/** Remembers that a customer was erased, for the day on which an older backup is restored. */
export async function noteErasure(tx: Tx, companyId: number, token: string, now: Date): Promise<void> {
  await noteErasures(tx, [{ company_id: companyId, reference: referenceOf(companyId, token), erased_at: now }])
}

export async function noteErasures(tx: Tx, erasures: readonly Erasure[]): Promise<void> {
  await sql`insert into erasures select * from json_populate_recordset(null::erasures, ${JSON.stringify(erasures)}::json)
    on conflict do nothing`.execute(tx)
}

/** All of them; none in the database of an older version. */
export async function readErasures(db: Db): Promise<Erasure[]> {
  const { rows } = await sql`select 1 where to_regclass('erasures') is not null`.execute(db)
  if (rows.length === 0) return []
  return db.selectFrom('erasures').selectAll().orderBy('erased_at').orderBy('reference').execute()
}

/** Changes with every erasure. */
export async function countErasures(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('erasures')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The customers who are there although a company has erased them. */
export async function findReturned(
  db: Db,
  erasures: readonly Pick<Erasure, 'reference'>[],
): Promise<Columns<'customer_relations', 'company_id' | 'customer_id'>[]> {
  const references = erasures.map(({ reference }) => reference)
  const { rows } = await sql<Columns<'customer_relations', 'company_id' | 'customer_id'>>`
    select relation.company_id, relation.customer_id from customer_relations as relation
    join customers on customers.id = relation.customer_id
    where encode(sha256(convert_to(relation.company_id || ':' || customers.token, 'UTF8')), 'hex') = any(${references}::text[])
    order by 1, 2`.execute(db)
  return rows
}
