import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { RowList } from '../../db/pages.ts'
import { sendFile } from './answers.ts'

/** The parameter with which a list is asked for as a file that an import reads again. */
export const CsvFormat = Type.Optional(
  Type.String({
    maxLength: 10,
    description: '`csv` for a file that a spreadsheet opens and an import reads, with all entries that fit.',
  }),
)

export function isCsv(format: string | undefined): boolean {
  return format?.toLowerCase() === 'csv'
}

/** The answer of a list that can be asked for as a file. */
export function listOrFile<Schema extends TSchema>(list: Schema) {
  return {
    description: 'The list, or the file.',
    content: {
      'application/json': { schema: list },
      'text/csv': { schema: Type.String({ description: 'With `format=csv`.' }) },
    },
  }
}

/** Sends a whole list as a file. */
export async function sendCsv<Row extends { id: number }>(
  reply: FastifyReply,
  name: string,
  list: RowList<Row>,
  heading: string,
  linesOf: LinesOf<Row>,
): Promise<FastifyReply> {
  return sendFile(reply, { name, type: 'text/csv' }, await csvOf(list, heading, linesOf))
}

type LinesOf<Row> = (rows: Row[]) => string | Promise<string>

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
  linesOf: LinesOf<Row>,
): Promise<Readable> {
  const read = async (after: number): Promise<Page> => {
    // A page has one row more if there is another one.
    const rows = await list({ after, limit: BATCH, offset: 0 })
    const page = rows.slice(0, BATCH)
    return { lines: await linesOf(page), lastId: page.at(-1)?.id ?? after, more: rows.length > BATCH }
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
