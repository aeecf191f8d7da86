import { setImmediate as nextTurn } from 'node:timers/promises'
import { csvLine } from '#platform/files/csv.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Report, ReportKind } from './reports.queries.ts'

/** Records that are written at once; other requests get their turn in between. */
const SLICE = 1000

/**
 * The records and their sums as JSON, or the records as the lines of a file. A hundred thousand records take most of a second,
 * for which nobody else should have to wait.
 */
export async function answerBytes(
  { key, columns }: Pick<ReportKind, 'key' | 'columns'>,
  { records, totals }: Report,
  isFile: boolean,
): Promise<Buffer> {
  if (isFile) {
    const names = columns ?? Object.keys(records[0] ?? {})
    const lines = await inSlices(records, (slice) =>
      slice.map((record) => csvLine(names.map((name) => record[name] ?? null))).join(''),
    )
    return Buffer.concat([Buffer.from(csvLine(names)), ...lines])
  }
  // The brackets of each slice are left out, and a comma joins it to the one before.
  const slices = await inSlices(records, (slice, at) => `${at > 0 ? ',' : ''}${asciiJson(slice).slice(1, -1)}`)
  return Buffer.concat([Buffer.from(`{"${key}":[`), ...slices, Buffer.from(`],"totals":${asciiJson(totals)}}`)])
}

async function inSlices<Item>(
  items: readonly Item[],
  write: (slice: readonly Item[], at: number) => string,
): Promise<Buffer[]> {
  const written: Buffer[] = []
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await nextTurn()
    written.push(Buffer.from(write(items.slice(at, at + SLICE), at)))
  }
  return written
}
