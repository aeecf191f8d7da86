import { Readable } from 'node:stream'
import type { RowList } from '#platform/db/pages.ts'
import { csvLine } from '#platform/files/csv.ts'
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
] as const satisfies readonly (keyof RedemptionCode)[]

const HEADING = csvLine(COLUMNS)

/** Codes as the lines of a file that a spreadsheet reads (RFC 4180), without its heading. */
function linesOf(codes: readonly RedemptionCode[]): string {
  return codes.map((code) => csvLine(COLUMNS.map((name) => code[name]))).join('')
}

/** Codes as a file that a spreadsheet reads. */
export function csvTextOf(codes: readonly RedemptionCode[]): string {
  return HEADING + linesOf(codes)
}

/** Rows that are read at once: what one file costs in memory. */
const BATCH = 500

async function* csvParts<Row extends { id: number }>(
  list: RowList<Row>,
  present: (rows: Row[]) => RedemptionCode[],
): AsyncGenerator<string> {
  yield HEADING
  let after = 0
  for (;;) {
    // A page has one row more if there is another one.
    const rows = await list({ after, limit: BATCH, offset: 0 })
    const page = rows.slice(0, BATCH)
    yield linesOf(present(page))
    if (rows.length <= BATCH) return
    after = page.at(-1)?.id ?? after
  }
}

/** The whole list as a file, read page by page. */
export function csvOf<Row extends { id: number }>(
  list: RowList<Row>,
  present: (rows: Row[]) => RedemptionCode[],
): Readable {
  return Readable.from(csvParts(list, present))
}
