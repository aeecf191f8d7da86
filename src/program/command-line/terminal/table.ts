import { plain } from '../program.ts'

type Value = string | number

/** The value of each column for a row, by the heading of the column. */
type Columns<Row> = Record<string, (row: Row) => Value>

const GAP = '  '

/** Rows in columns under headings, with numbers aligned to the right; without any row the sentence `none`. */
export function table<Row>(rows: readonly Row[], none: string, columns: Columns<Row>): string {
  if (rows.length === 0) return none
  const aligned = Object.entries(columns).map(([heading, read]) => {
    const texts = [heading, ...rows.map((row) => plain(String(read(row))))]
    const width = Math.max(...texts.map((text) => text.length))
    const isNumeric = texts.slice(1).every((text) => /^(-?\d+(\.\d+)?)?$/.test(text))
    return texts.map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)))
  })
  const lines = [-1, ...rows.keys()].map((row) => aligned.map((column) => column[row + 1] ?? '').join(GAP))
  return lines.map((line) => line.trimEnd()).join('\n')
}
