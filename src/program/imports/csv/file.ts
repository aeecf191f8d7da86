import { pipeline, Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { UnreadableFile, type UnreadableReason, unreadableLine } from '../importer/unreadable.ts'
import { convertedValue, type Edits, editedRow, NO_EDITS, namesOf } from './edits.ts'

/** A row of a CSV file: its values by the names of the columns as `columnName` writes them, without empty ones. */
export type Row = {
  line: number
  values: ReadonlyMap<string, string>
  /** The headings of the file by those names. */
  headings: ReadonlyMap<string, string>
}

/** A file is read more than once: `open` starts from its first byte. */
export type CsvFile = { open(): AsyncIterable<Uint8Array>; encoding: string }

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
  throw new UnreadableFile('empty', (file) => `${file} is empty`)
}

/** The values of the lines with the numbers of the lines, beginning with the headings. */
export async function* readLines(csv: CsvFile): AsyncGenerator<{ line: number; values: string[] }> {
  let line = 1
  for await (const { record, info } of records(csv)) {
    yield { line, values: record.map((value) => value.trim()) }
    line = info.lines + 1
  }
}

/** The rows of a file one after another, however long it is, with what was changed about them. */
export async function* readRows(csv: CsvFile, edits: Edits = NO_EDITS): AsyncGenerator<Row> {
  let names: string[] | undefined
  let texts: string[] = []
  let headings = new Map<string, string>()
  let line = 1
  for await (const { record, info } of records(csv)) {
    const values = record.map((value) => value.trim())
    if (names === undefined) {
      assertNamedOnce(values, info.lines)
      texts = values
      names = namesOf(values, edits, columnName)
      headings = new Map(names.map((name, index) => [name, values[index] ?? '']))
    } else if (values.some((value) => value !== '')) {
      const columns = names.length
      const extra = values.findIndex((value, index) => value !== '' && index >= columns)
      if (extra !== -1)
        throw unreadableLine(
          'too_many_values',
          line,
          `has ${extra + 1} values, but the first line names ${columns} columns`,
        )
      const named = names.map((name, index): [string, string] => [
        name,
        convertedValue(edits, texts[index] ?? '', values[index] ?? ''),
      ])
      const filled = new Map(named.filter(([name, value]) => name !== '' && value !== ''))
      yield editedRow({ line, values: filled, headings }, edits)
    }
    line = info.lines + 1
  }
}

function assertNamedOnce(values: string[], line: number): void {
  const names = values.map(columnName)
  const repeated = names.findIndex((name, index) => name !== '' && names.indexOf(name) !== index)
  if (repeated !== -1) throw unreadableLine('column_twice', line, `names the column "${values[repeated]}" twice`)
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
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw unreadableLine('row_too_long', end + 1, tooLong(end + 1, parser.info.lines))
    const [reason, sentence] = SYNTAX[error.code] ?? ['not_csv', `can't be read: ${error.message}`]
    throw unreadableLine(reason, end + 1, sentence)
  }
}

/** A row that goes on in other lines has a value in quotation marks, and probably lacks the second one. */
function tooLong(line: number, lastLine: number): string {
  const bytes = `${RECORD_BYTES_MAX.toLocaleString('en')} bytes`
  if (line === lastLine) return `is longer than ${bytes}: shorten its values`
  return `has a value that goes on for more than ${bytes}, to line ${lastLine}: a quotation mark opens it and may never close it`
}

const STRAY = 'has a quotation mark inside a value: put the value in quotation marks, and write it twice there ("")'

const SYNTAX: Partial<Record<string, [UnreadableReason, string]>> = {
  CSV_QUOTE_NOT_CLOSED: ['quote_not_closed', 'has a quotation mark that opens a value and never closes it'],
  CSV_INVALID_CLOSING_QUOTE: ['quote_inside', STRAY],
  INVALID_OPENING_QUOTE: ['quote_inside', STRAY],
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
    for await (const chunk of csv.open()) {
      decoder ??= new TextDecoder(encodingOf(chunk) ?? csv.encoding, { fatal: true })
      yield plain(decoder.decode(chunk, { stream: true }))
    }
    yield plain(decoder?.decode() ?? '')
  } catch (error) {
    if (!(error instanceof TypeError)) throw unreadable(error)
    throw unreadableLine('not_utf8', await findUndecodable(csv), NOT_UTF8)
  }
}

const NOT_UTF8 = 'is not UTF-8. Save the file as "CSV UTF-8", or name its encoding'

function encodingOf(start: Uint8Array): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined
}

/** The first line that is not UTF-8. A decoder does not say where it stopped, so each gets no more than a line. */
async function findUndecodable(csv: CsvFile): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  try {
    for await (const chunk of csv.open()) {
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

function unreadable(error: unknown): unknown {
  return error instanceof Error && 'code' in error && 'syscall' in error
    ? new UnreadableFile('unreadable', (file) => `${file} can't be read: ${error.message}`)
    : error
}
