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

/**
 * The whole list as a file, read page by page. The first read comes before the answer begins: what fails in it is still an
 * error of the whole answer. What fails later ends the connection, so that the client sees that the file is not whole.
 */
export async function csvOf<Row extends { id: number }>(
  list: RowList<Row>,
  present: (rows: Row[]) => RedemptionCode[],
): Promise<Readable> {
  const read = async (after: number): Promise<Page> => {
    // A page has one row more if there is another one.
    const rows = await list({ after, limit: BATCH, offset: 0 })
    const page = rows.slice(0, BATCH)
    return { lines: linesOf(present(page)), lastId: page.at(-1)?.id ?? after, more: rows.length > BATCH }
  }
  return Readable.from(partsOf(await read(0), read))
}

type Page = { lines: string; lastId: number; more: boolean }

async function* partsOf(first: Page, read: (after: number) => Promise<Page>): AsyncGenerator<string> {
  yield HEADING + first.lines
  for (let page = first; page.more; ) {
    page = await read(page.lastId)
    yield page.lines
  }
}
