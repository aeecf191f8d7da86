import { csvLine } from '#platform/wire/csv.ts'
import { csvOf } from './csv/content.ts'
import { readLines } from './csv/file.ts'
import type { ImportState } from './state.ts'

/** The heading of the column that says what is wrong. An import does not know it, so it is left out when the file comes back. */
const ERROR = 'error'

/** The lines with mistakes as a file of their own, as the file has them, with what is wrong in one more column. */
export async function mistakesFile({ encoding, report }: ImportState, content: Buffer): Promise<Buffer> {
  const mistakes = Map.groupBy(report?.mistakes ?? [], ({ line }) => line)
  const lines: string[] = []
  let width: number | undefined
  for await (const { line, values } of readLines(csvOf(content, encoding))) {
    const wrong = mistakes.get(line)?.map(({ message }) => message)
    if (width === undefined) lines.push(csvLine([...values, ERROR]))
    else if (wrong !== undefined)
      lines.push(csvLine([...Array.from({ length: width }, (_, index) => values[index] ?? ''), wrong.join('; ')]))
    width ??= values.length
  }
  return Buffer.from(lines.join(''))
}
