import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvValue, csvLine } from '#platform/wire/csv.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Report, ReportKind } from './reports.queries.ts'

/**
 * The records and their sums as JSON, or the records as the lines of a file. `asked` are the fields of the records, if not all. A hundred thousand records take most of a second,
 * for which nobody else should have to wait.
 */
export async function answerBytes(
  { key, columns }: Pick<ReportKind, 'key' | 'columns'>,
  { slices, totals }: Report,
  isFile: boolean,
  asked?: ReadonlySet<string>,
): Promise<Buffer> {
  const written: Buffer[] = []
  let names = columns?.filter((name) => asked?.has(name) ?? true)
  for await (const whole of slices) {
    const slice = asked === undefined ? whole : whole.map((record) => only(record, asked))
    names ??= Object.keys(slice[0] ?? {})
    written.push(Buffer.from(isFile ? linesOf(slice, names) : `${written.length > 0 ? ',' : ''}${entriesOf(slice)}`))
    await nextTurn()
  }
  const [head, end] = isFile ? [csvLine(names ?? []), ''] : [`{"${key}":[`, `],"totals":${asciiJson(totals())}}`]
  return Buffer.concat([Buffer.from(head), ...written, Buffer.from(end)])
}

/** The fields of a record that were asked for, in its order. */
function only(record: Record<string, CsvValue>, asked: ReadonlySet<string>): Record<string, CsvValue> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => asked.has(name)))
}

type Slice = readonly Record<string, CsvValue>[]

function linesOf(slice: Slice, names: readonly string[]): string {
  return slice.map((record) => csvLine(names.map((name) => record[name] ?? null))).join('')
}

/** The brackets are left out, so that slices can be joined. */
function entriesOf(slice: Slice): string {
  return asciiJson(slice).slice(1, -1)
}
