import type { Amount, Mistake, Place } from '../importer/entries.ts'
import type { Row } from './file.ts'

/** The columns that a kind of file may have: for each field, the names under which it is known. */
export type Columns = Record<string, readonly string[]>

/** Reads the fields of a row, and gathers what is wrong with them. */
export class RowReader {
  readonly faults: Mistake[] = []
  readonly #row: Row
  readonly #columns: Columns

  constructor(row: Row, columns: Columns) {
    this.#row = row
    this.#columns = columns
  }

  get line(): number {
    return this.#row.line
  }

  text(field: string): string | undefined {
    const name = this.#nameOf(field)
    const value = name === undefined ? undefined : this.#row.values.get(name)
    // Spreadsheets and Shopify put an apostrophe before digits that are no number, such as phone numbers, and exports put one
    // before what would be a formula.
    return value?.replace(/^'(?='*[=+\-@\d])/, '')
  }

  flag(field: string): boolean | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    if (/^(true|yes|ja|wahr|1|active)$/i.test(value)) return true
    if (/^(false|no|nein|falsch|0|draft|archived|unlisted)$/i.test(value)) return false
    return this.refuse(field, 'not_a_flag', `${field}: "${value}" is neither yes nor no`)
  }

  number(field: string): number | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    if (/^-?\d{1,12}([.,]\d{1,9})?$/.test(value)) return Number(value.replace(',', '.'))
    return this.refuse(field, 'not_a_number', `${field}: "${value}" is not a number`)
  }

  amount(field: string, currency: string): Amount | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    const cents = parseCents(value)
    if (cents !== undefined) return { cents, currency }
    return this.refuse(field, 'not_an_amount', `${field}: "${value}" is not an amount such as 14.99`)
  }

  /** Where a field stands, with the heading and the value that the file has there. */
  placeOf(field: string): Place {
    const names = this.#columns[field] ?? []
    const name = this.#nameOf(field) ?? names.find((each) => this.#row.headings.has(each))
    const [column, value] = name === undefined ? [] : [this.#row.headings.get(name), this.#row.values.get(name)]
    return {
      line: this.line,
      field,
      ...(column === undefined ? {} : { column }),
      ...(value === undefined ? {} : { value }),
    }
  }

  /** Every field of the row that has a value. */
  values(): Record<string, string> {
    const fields = Object.keys(this.#columns).map((field) => [field, this.text(field)])
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }

  #nameOf(field: string): string | undefined {
    return this.#columns[field]?.find((each) => this.#row.values.has(each))
  }

  /** Gathers what is wrong with a field. */
  refuse(field: string, reason: string, message: string): undefined {
    this.faults.push({ ...this.placeOf(field), reason, message })
    return undefined
  }
}

/**
 * Finds the row and the column of an attribute of the API. `parts` are the rows that lists of the entry were made of, and
 * `fields` the columns whose attributes have another name.
 */
export function createPlaces(
  first: RowReader,
  parts: Readonly<Record<string, readonly RowReader[]>>,
  fields: Readonly<Record<string, string>>,
): (path: string) => Place {
  return (path) => {
    const [, list = '', index = '', name = list] = /^(\w+)(?:\[(\d+)\])?(?:\.(\w+))?/.exec(path) ?? []
    const reader = parts[list]?.[Number(index)] ?? first
    return reader.placeOf(fields[name] ?? fields[list] ?? name)
  }
}

/**
 * The cents of an amount with a point or a comma. `1.299,00` and `1,299.00` are clear; `1,299` could be either, and is
 * none.
 */
export function parseCents(text: string): number | undefined {
  const [, whole = '', decimals = ''] = /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(withoutThousands(text)) ?? []
  return whole === '' ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

function withoutThousands(text: string): string {
  const isGrouped = /^\d{1,3}(?:\.\d{3}){1,2},\d{2}$/.test(text) || /^\d{1,3}(?:,\d{3}){1,2}\.\d{2}$/.test(text)
  return isGrouped ? `${text.slice(0, -3).replace(/[.,]/g, '')}.${text.slice(-2)}` : text
}

/** An object without the attributes that have no value. */
export function withoutAbsent(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}
