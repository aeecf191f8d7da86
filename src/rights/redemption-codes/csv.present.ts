import { csvLine, importableLine } from '#platform/wire/csv.ts'
import type { RedemptionCode } from './schema.ts'

const COLUMNS = [
  'code',
  'product_id',
  'title',
  'license_title',
  'uses',
  'used',
  'remaining',
  'state',
  'expires_at',
  'order_id',
  'note',
  'hd',
  'audio_type',
  'num_users',
] as const satisfies readonly (keyof RedemptionCode)[]

export const HEADING = csvLine(COLUMNS)

/** Codes as the lines of a file that a spreadsheet reads (RFC 4180) and an import too, without its heading. */
export function linesOf(codes: readonly RedemptionCode[]): string {
  return codes.map((code) => importableLine(COLUMNS.map((name) => code[name]))).join('')
}

/** Codes as a file that a spreadsheet reads. */
export function csvTextOf(codes: readonly RedemptionCode[]): string {
  return HEADING + linesOf(codes)
}
