import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { StartError } from '#program/boot/start-error.ts'

/** A row of a CSV file: its values by the names of the columns as `columnName` writes them, without empty ones. */
export type Row = { line: number; values: ReadonlyMap<string, string> }

export type CsvFile = { file: string; encoding: string }

/** No row of a shop is longer, and a file with a quotation mark that never closes must not fill the memory. */
const RECORD_BYTES_MAX = 2_000_000
const NEWLINE = 0x0a
const DELIMITERS = [',', ';', '\t'] as const

/** Upper and lower case, blanks and punctuation do not matter: `Variant SKU` is `variantsku`. */
export function columnName(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The separator of a file: the one that its first line has most of, outside of quotation marks. */
export function delimiterOf(firstLine: string): string {
  const bare = firstLine.replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter
}

/** Excel reads the separator from a first line such as `sep=;`, which some programs write for it. */
const HINT = /^"?sep=([^"\n])"?[ ,;\t]*(?=\n|$)/i

/** The separator of a text, and the text without the hint. An empty line stays in its place, so that lines count. */
export function withoutHint(text: string): { delimiter: string; text: string } {
  const [hint, delimiter] = HINT.exec(text) ?? []
  return hint === undefined || delimiter === undefined
    ? { delimiter: delimiterOf(text.split('\n', 1)[0] ?? ''), text }
    : { delimiter, text: text.slice(hint.length) }
}

/** The names of the columns, as the file writes them. */
export async function readHeadings(csv: CsvFile): Promise<string[]> {
  for await (const { record } of records(csv)) return record.map((value) => value.trim())
  throw new StartError(`${csv.file} is empty.`, 2)
}

/** The rows of a file one after another, however long it is. */
export async function* readRows(csv: CsvFile): AsyncGenerator<Row> {
  let headings: string[] | undefined
  let line = 1
  for await (const { record, info } of records(csv)) {
    const values = record.map((value) => value.trim())
    if (headings === undefined) headings = checkedHeadings(values, csv, info.lines)
    else if (values.some((value) => value !== '')) {
      const extra = values.findIndex((value, index) => value !== '' && index >= (headings?.length ?? 0))
      if (extra !== -1)
        throw wrong(csv, line, `has ${extra + 1} values, but the first line names ${headings.length} columns`)
      const named = headings.map((heading, index): [string, string] => [heading, values[index] ?? ''])
      yield { line, values: new Map(named.filter(([heading, value]) => heading !== '' && value !== '')) }
    }
    line = info.lines + 1
  }
}

function checkedHeadings(values: string[], csv: CsvFile, line: number): string[] {
  const headings = values.map(columnName)
  const repeated = headings.findIndex((heading, index) => heading !== '' && headings.indexOf(heading) !== index)
  if (repeated !== -1) throw wrong(csv, line, `names the column "${values[repeated]}" twice`)
  return headings
}

type Parsed = { record: string[]; info: Pick<Info, 'lines'> }

async function* records(csv: CsvFile): AsyncGenerator<Parsed> {
  const rest = decoded(csv)
  const { value: start = '' } = await rest.next()
  const { delimiter, text } = withoutHint(start)
  // Rows that were read before a mistake do not leave the parser any more, so it notes their ends itself.
  let end = 0
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_BYTES_MAX,
    on_record: (record, { lines }) => {
      end = lines
      return record
    },
  })
  // A failure in the pipeline reaches the loop below through the parser.
  pipeline(Readable.from(concatenate(text, rest)), parser, () => {})
  try {
    yield* parser
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const sentence = error.code === 'CSV_MAX_RECORD_SIZE' ? tooLong(end + 1, parser.info.lines) : SYNTAX[error.code]
    throw wrong(csv, end + 1, sentence ?? `can't be read: ${error.message}`)
  }
}

/** A row that goes on in other lines has a value in quotation marks, and probably lacks the second one. */
function tooLong(line: number, lastLine: number): string {
  const bytes = `${RECORD_BYTES_MAX.toLocaleString('en')} bytes`
  if (line === lastLine) return `is longer than ${bytes}: shorten its values`
  return `has a value that goes on for more than ${bytes}, to line ${lastLine}: a quotation mark opens it and may never close it`
}

const STRAY = 'has a quotation mark inside a value: put the value in quotation marks, and write it twice there ("")'

const SYNTAX: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that opens a value and never closes it',
  CSV_INVALID_CLOSING_QUOTE: STRAY,
  INVALID_OPENING_QUOTE: STRAY,
}

async function* concatenate(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** The text of a file with plain line ends. A byte order mark says more than the setting. */
async function* decoded(csv: CsvFile): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let endsWithReturn = false
  const plain = (text: string) => {
    const whole = endsWithReturn ? `\r${text}` : text
    endsWithReturn = whole.endsWith('\r')
    return (endsWithReturn ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }
  try {
    for await (const chunk of createReadStream(csv.file)) {
      decoder ??= new TextDecoder(encodingOf(chunk) ?? csv.encoding, { fatal: true })
      yield plain(decoder.decode(chunk, { stream: true }))
    }
    yield plain(decoder?.decode() ?? '')
  } catch (error) {
    if (!(error instanceof TypeError)) throw unreadable(csv, error)
    throw wrong(csv, await findUndecodable(csv.file), NOT_UTF8)
  }
}

const NOT_UTF8 =
  'is not UTF-8. Save the file as "CSV UTF-8", or name its encoding, such as --encoding windows-1252 for Excel'

function encodingOf(start: Buffer): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined
}

/** The first line that is not UTF-8. A decoder does not say where it stopped, so each gets no more than a line. */
async function findUndecodable(file: string): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  try {
    for await (const chunk of createReadStream(file)) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        decoder.decode(chunk.subarray(start, end))
        start = end + 1
        line += 1
      }
      decoder.decode(chunk.subarray(start), { stream: true })
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return line
}

function unreadable({ file }: CsvFile, error: unknown): unknown {
  return error instanceof Error && 'code' in error && 'syscall' in error
    ? new StartError(`${file} can't be read: ${error.message}.`, 2)
    : error
}

function wrong({ file }: CsvFile, line: number, sentence: string): StartError {
  return new StartError(`${file}, line ${line} ${sentence}.`, 2)
}
