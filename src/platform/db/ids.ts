import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { prepare } from './prepared.ts'

export type TakenIds = {
  /** Ids of the resource itself. */
  keys: number[]
  /** Hands out the ids of parts (locales, entries, pictures …) in order. */
  takePartId: () => number
}

/** The sub-selects keep PostgreSQL from planning anew for every number. */
const takeNext = prepare((tx: Tx, sequence: string, rows: number, parts: number) =>
  sql<{ keys: number[]; parts: number[] }>`select
    array(select nextval(${sequence}::text::regclass)::float8 from generate_series(1, (select ${rows}::int))) as keys,
    array(select nextval('part_ids')::float8 from generate_series(1, (select ${parts}::int))) as parts`.compile(tx),
)

/** Takes ids for so many rows of a table, and for up to so many parts in them, in one round trip. */
export async function takeIds(tx: Tx, table: string, rows: number, parts: number): Promise<TakenIds> {
  const [taken] = await takeNext(tx, `${table}_id_seq`, rows, parts)
  return { keys: taken?.keys ?? [], takePartId: handOut(taken?.parts ?? []) }
}

/** Hands out ids that were taken, in order. */
export function handOut(ids: readonly number[]): () => number {
  let used = 0
  return () => {
    const id = ids[used]
    used += 1
    if (id === undefined) throw new Error(`more than ${ids.length} part ids were asked for`)
    return id
  }
}
