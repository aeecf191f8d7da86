import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { prepare } from './prepared.ts'
import type { DB } from './types.gen.ts'
import { prepareWrite } from './writes.ts'

/**
 * Transactions that count the same resource of a company at once wait for each other if they share a slot. The numbers of the
 * server's processes mostly follow each other, so connections mostly have slots of their own.
 */
const SLOTS = 16

const addToSlot = prepareWrite('upsert', 'counters', (tx: Tx, companyIds: number[], resource: string, by: number) =>
  sql`insert into counters (company_id, resource, slot, amount)
    select company_id, ${resource}::text, pg_backend_pid() % ${sql.lit(SLOTS)}, ${by}::bigint
    from unnest(${companyIds}::bigint[]) as company_id order by company_id
    on conflict (company_id, resource, slot) do update set amount = counters.amount + excluded.amount`.compile(tx),
)

/** Counts rows in or out, in the transaction that adds or removes them. */
export function adjustCounter(tx: Tx, companyId: number, resource: string, by: number): Promise<void> {
  return adjustCounters(tx, [companyId], resource, by)
}

/** Counts in or out what several companies have in common. */
export async function adjustCounters(tx: Tx, companyIds: number[], resource: string, by: number): Promise<void> {
  if (by === 0) return
  await addToSlot(tx, companyIds, resource, by)
}

const sumOfSlots = prepare((db: Db, companyId: number, resource: string) =>
  sql<{ count: number }>`select coalesce(sum(amount), 0)::bigint as count from counters
    where company_id = ${companyId} and resource = ${resource}`.compile(db),
)

/** How many there are, without counting them. */
export async function readCounter(db: Db, companyId: number, resource: string): Promise<number> {
  const [row] = await sumOfSlots(db, companyId, resource)
  return row?.count ?? 0
}

/** The tables whose rows belong to companies. */
type CompanyTable = { [Table in keyof DB]: DB[Table] extends { company_id: unknown } ? Table : never }[keyof DB]

/** Recomputes a counter from the rows, while none are added or removed. */
export async function resetCounter(tx: Tx, companyId: number, table: CompanyTable): Promise<void> {
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{
    count: number
  }>`select count(*) from ${sql.table(table)} where company_id = ${companyId}`.execute(tx)
  await setCounter(tx, companyId, table, rows[0]?.count ?? 0)
}

/** Replaces a counter by the caller's own count, while no rows are added or removed. */
export async function setCounter(tx: Tx, companyId: number, resource: string, amount: number): Promise<void> {
  await sql`delete from counters where company_id = ${companyId} and resource = ${resource}`.execute(tx)
  await adjustCounter(tx, companyId, resource, amount)
}
