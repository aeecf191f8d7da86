/**
 * The name of a migration says what a program has to know of it before it reads it, also of one that is newer than the program:
 *
 * - `0152_titles` only adds. Programs that do not know it run on.
 * - `0170_contract_0152_old_titles` takes away what nothing uses in programs whose last migration is 0152 or later.
 * - `0160_concurrently_orders_by_day` runs outside of a transaction, statement by statement.
 */
export const CONTRACT_NAME = /^\d{4}_contract_(\d{4})_/
const CONCURRENT_NAME = /^\d{4}_concurrently_/

export function migrationNumber(name: string): number {
  return Number(name.slice(0, 4))
}

/** The last migration of the oldest programs that run after this migration, or undefined if all do. */
export function contractSince(name: string): number | undefined {
  const since = CONTRACT_NAME.exec(name)?.[1]
  return since === undefined ? undefined : Number(since)
}

export function isConcurrent(name: string): boolean {
  return CONCURRENT_NAME.test(name)
}

/**
 * Of the migrations that a program does not know, those with which it cannot run: they take away what it uses, or they belong
 * to another line of versions. `known` are the migrations of the program.
 */
export function findUnbearable(unknown: readonly string[], known: readonly string[]): string[] {
  const last = Math.max(0, ...known.map(migrationNumber))
  return unknown.filter((name) => !(migrationNumber(name) > last) || (contractSince(name) ?? 0) > last)
}

/** Migrations that run together: in one transaction, or one by one outside of any. */
export function batchesOf(names: readonly string[]): string[][] {
  const batches: string[][] = []
  for (const name of names) {
    const batch = batches.at(-1)
    const isAlone = batch === undefined || isConcurrent(name) || isConcurrent(batch[0] ?? '')
    if (isAlone) batches.push([name])
    else batch.push(name)
  }
  return batches
}

/** The statements of a migration that runs outside of a transaction. Each ends with its line. */
export function statementsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
