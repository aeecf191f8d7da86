/** A spreadsheet would take a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/

export type CsvValue = string | number | boolean | null

function field(value: CsvValue): string {
  const text = value === null ? '' : String(value)
  const plain = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n;]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** One line of a file that a spreadsheet reads (RFC 4180). */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`
}
