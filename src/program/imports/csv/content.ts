import { isUtf8 } from 'node:buffer'
import { UnreadableFile } from '../importer/unreadable.ts'
import { type CsvFile, readHeadings, readLines } from './file.ts'

const CHUNK_BYTES = 65_536
const SAMPLES = 3
const SAMPLE_MAX = 200

/** The bytes of a file in memory, as the importer reads them. */
export function csvOf(content: Uint8Array, encoding: string): CsvFile {
  return {
    encoding,
    async *open() {
      for (let start = 0; start < content.length; start += CHUNK_BYTES)
        yield content.subarray(start, start + CHUNK_BYTES)
    },
  }
}

/**
 * The encoding of a file. What is not UTF-8 was most likely saved by Excel on Windows; people see it by the first values,
 * and can say otherwise.
 */
export function guessEncoding(content: Uint8Array): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be'
  return isUtf8(content) ? 'utf-8' : 'windows-1252'
}

const BRACE = 0x7b
const ZIP = [0x50, 0x4b, 0x03, 0x04]

/** Refuses files that people take for CSV files. */
export function assertCsv(content: Uint8Array): void {
  if (ZIP.every((byte, index) => content[index] === byte))
    throw new UnreadableFile('not_csv', (file) => `${file} is a spreadsheet or an archive: save it as CSV first`)
  if (content[0] === BRACE)
    throw new UnreadableFile('not_csv', (file) => `${file} is JSON, which the command line imports (licet import)`)
  if (content.subarray(0, CHUNK_BYTES).includes(0) && !guessEncoding(content).startsWith('utf-16'))
    throw new UnreadableFile('not_csv', (file) => `${file} is no text file: save it as CSV first`)
}

/** The headings of a file with the first values below each. */
export async function readColumns(csv: CsvFile): Promise<{ heading: string; samples: string[] }[]> {
  const headings = await readHeadings(csv)
  const samples = headings.map((): string[] => [])
  let seen = 0
  for await (const { values } of readLines(csv)) {
    seen += 1
    if (seen === 1) continue
    for (const [index, value] of values.entries())
      if (value !== '' && (samples[index]?.length ?? SAMPLES) < SAMPLES) samples[index]?.push(cut(value))
    if (seen > 20 || samples.every((each) => each.length === SAMPLES)) break
  }
  return headings.flatMap((heading, index) => (heading === '' ? [] : [{ heading, samples: samples[index] ?? [] }]))
}

export function cut(text: string, max = SAMPLE_MAX): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}
