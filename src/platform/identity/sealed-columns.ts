import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Vault } from './vault.ts'

/** A column whose values are sealed with the vault. */
export type SealedColumn = { table: string; column: string; purpose: string }

const BATCH = 1000

type Sealed = { at: string; value: Buffer }

/**
 * Seals the values of a column again with another secret. Returns how many were sealed, and how many stay as they are
 * because the secret that opens them was lost before.
 */
export async function resealColumn(
  tx: Tx,
  { table, column, purpose }: SealedColumn,
  from: Vault,
  to: Vault,
): Promise<{ sealed: number; lost: number }> {
  const [rows, values] = [sql.table(table), sql.ref(column)]
  // Nobody writes meanwhile, so that the places of the rows stay the same.
  await sql`lock table ${rows} in share row exclusive mode`.execute(tx)
  const { rows: found } = await sql<Sealed>`select ctid::text as at, ${values} as value from ${rows}
    where ${values} is not null`.execute(tx)
  const resealed = found.flatMap(({ at, value }) => {
    const text = openedText(from, purpose, value)
    return text === undefined ? [] : [{ at, value: to.seal(purpose, text) }]
  })
  for (let start = 0; start < resealed.length; start += BATCH) {
    const batch = resealed.slice(start, start + BATCH)
    await sql`update ${rows} as target set ${sql.ref(column)} = renewed.value
      from unnest(${batch.map(({ at }) => at)}::text[]::tid[], ${batch.map(({ value }) => value)}::bytea[])
        as renewed (at, value)
      where target.ctid = renewed.at`.execute(tx)
  }
  return { sealed: resealed.length, lost: found.length - resealed.length }
}

function openedText(vault: Vault, purpose: string, sealed: Buffer): string | undefined {
  try {
    return vault.open(purpose, sealed)
  } catch {
    return undefined
  }
}
