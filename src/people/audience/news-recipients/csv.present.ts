import { importableLine } from '#platform/wire/csv.ts'
import type { NewsRecipient } from './schema.ts'

/** An import reads these columns again, except for the state, which follows from them, and the time of creation. */
const COLUMNS = [
  'email',
  'theme_setting_id',
  'language',
  'confirmed_at',
  'consent_source',
  'state',
  'created_at',
] as const satisfies readonly (keyof NewsRecipient)[]

export const HEADING = importableLine(COLUMNS)

/** Newsletter recipients as the lines of a file that a spreadsheet reads, without its heading. */
export function linesOf(rows: readonly NewsRecipient[]): string {
  return rows.map((row) => importableLine(COLUMNS.map((name) => row[name]))).join('')
}
