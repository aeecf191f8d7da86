import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { prepare } from './prepared.ts'

export type TakenIds = {
  /** Returns the next id for a row of the table. */
  takeRowId: () => number
  /** Returns the next id for a part of a row (a locale, an entry, a picture). */
  takePartId: () => number
}

/** The sub-selects keep PostgreSQL from making a new plan for every number. */
const takeNext = prepare((tx: Tx, sequence: string, rows: number, parts: number) =>
  sql<{ keys: number[]; parts: number[] }>`select
    array(select nextval(${sequence}::text::regclass)::float8 from generate_series(1, (select ${rows}::int))) as keys,
    array(select nextval('part_ids')::float8 from generate_series(1, (select ${parts}::int))) as parts`.compile(tx),
)

/** Reserves ids for `rows` rows of a table and for up to `parts` parts of those rows, in one round trip. */
export async function takeIds(tx: Tx, table: string, rows: number, parts: number): Promise<TakenIds> {
  const [taken] = await takeNext(tx, `${table}_id_seq`, rows, parts)
  return { takeRowId: handOut(taken?.keys ?? []), takePartId: handOut(taken?.parts ?? []) }
}

/** Returns a function that returns the reserved ids one after another, and throws when there are no more. */
export function handOut(ids: readonly number[]): () => number {
  let used = 0
  return () => {
    const id = ids[used]
    used += 1
    if (id === undefined) throw new Error(`more than ${ids.length} ids were taken`)
    return id
  }
}
