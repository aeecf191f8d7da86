import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvValue, csvLine } from '#platform/files/csv.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Report, ReportKind } from './reports.queries.ts'

/**
 * The records and their sums as JSON, or the records as the lines of a file. A hundred thousand records take most of a second,
 * for which nobody else should have to wait.
 */
export async function answerBytes(
  { key, columns }: Pick<ReportKind, 'key' | 'columns'>,
  { slices, totals }: Report,
  isFile: boolean,
): Promise<Buffer> {
  const written: Buffer[] = []
  let names = columns
  for await (const slice of slices) {
    names ??= Object.keys(slice[0] ?? {})
    written.push(Buffer.from(isFile ? linesOf(slice, names) : `${written.length > 0 ? ',' : ''}${entriesOf(slice)}`))
    await nextTurn()
  }
  const [head, end] = isFile ? [csvLine(names ?? []), ''] : [`{"${key}":[`, `],"totals":${asciiJson(totals())}}`]
  return Buffer.concat([Buffer.from(head), ...written, Buffer.from(end)])
}

type Slice = readonly Record<string, CsvValue>[]

function linesOf(slice: Slice, names: readonly string[]): string {
  return slice.map((record) => csvLine(names.map((name) => record[name] ?? null))).join('')
}

/** The brackets are left out, so that slices can be joined. */
function entriesOf(slice: Slice): string {
  return asciiJson(slice).slice(1, -1)
}
