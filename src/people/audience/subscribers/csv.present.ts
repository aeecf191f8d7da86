import { importableLine } from '#platform/wire/csv.ts'
import type { Subscriber } from './schema.ts'

/** An import reads these columns again, except for the state, which follows from them, and the time of creation. */
const COLUMNS = ['email', 'group_id', 'ends_at', 'state', 'created_at'] as const satisfies readonly (keyof Subscriber)[]

export const HEADING = importableLine(COLUMNS)

/** Subscribers as the lines of a file that a spreadsheet reads, without its heading. */
export function linesOf(rows: readonly Subscriber[]): string {
  return rows.map((row) => importableLine(COLUMNS.map((name) => row[name]))).join('')
}
