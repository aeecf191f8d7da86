import { Readable } from 'node:stream'
import type { RowList } from '../../db/pages.ts'

/** Rows that are read at once: what one file costs in memory. */
const BATCH = 100

/**
 * The whole list as a file of lines, read page by page. The first read comes before the answer begins: what fails in it is
 * still an error of the whole answer. What fails later ends the connection, so that the client sees that the file is not
 * whole.
 */
export async function csvOf<Row extends { id: number }>(
  list: RowList<Row>,
  heading: string,
  linesOf: (rows: Row[]) => string,
): Promise<Readable> {
  const read = async (after: number): Promise<Page> => {
    // A page has one row more if there is another one.
    const rows = await list({ after, limit: BATCH, offset: 0 })
    const page = rows.slice(0, BATCH)
    return { lines: linesOf(page), lastId: page.at(-1)?.id ?? after, more: rows.length > BATCH }
  }
  return Readable.from(partsOf(heading, await read(0), read))
}

type Page = { lines: string; lastId: number; more: boolean }

async function* partsOf(heading: string, first: Page, read: (after: number) => Promise<Page>): AsyncGenerator<string> {
  yield heading + first.lines
  for (let page = first; page.more; ) {
    page = await read(page.lastId)
    yield page.lines
  }
}
