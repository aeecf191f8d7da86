/**
 * A spreadsheet would take a text that begins so for a formula, and an apostrophe before it says that it is none. An import
 * takes one apostrophe away there, so a text that has one of its own gets another.
 */
const FORMULA = /^'*[=+\-@\t\r]|^'+\d/
/** An amount below zero is none. */
const AMOUNT = /^-\d{1,15}\.\d{2}$/

export type CsvValue = string | number | boolean | null

function field(value: CsvValue): string {
  const text = value === null ? '' : String(value)
  const isFormula = typeof value === 'string' && FORMULA.test(text) && !AMOUNT.test(text)
  const plain = isFormula ? `'${text}` : text
  return /[",\r\n;]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** One line of a file that a spreadsheet reads (RFC 4180). */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`
}

/** One line of a file that an import reads as well: values as it reads them, without blanks around and with plain line ends. */
export function importableLine(values: readonly CsvValue[]): string {
  return csvLine(values.map((value) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value)))
}
