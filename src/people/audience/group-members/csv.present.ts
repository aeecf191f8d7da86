import { importableLine } from '#platform/wire/csv.ts'
import type { GroupMember } from './schema.ts'

/** An import reads these columns again, except for the state, which follows from them, and the time of creation. */
const COLUMNS = [
  'email',
  'group_id',
  'start_at',
  'end_at',
  'state',
  'created_at',
] as const satisfies readonly (keyof GroupMember)[]

export const HEADING = importableLine(COLUMNS)

/** Group members as the lines of a file that a spreadsheet reads, without its heading. */
export function linesOf(rows: readonly GroupMember[]): string {
  return rows.map((row) => importableLine(COLUMNS.map((name) => row[name]))).join('')
}
