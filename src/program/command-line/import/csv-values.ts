import type { Row } from './csv-file.ts'
import type { Amount } from './entries.ts'

/** The columns that a kind of file may have: for each field, the names under which it is known. */
export type Columns = Record<string, readonly string[]>

/** Reads the fields of a row, and gathers what is wrong with them. */
export class RowReader {
  readonly faults: string[] = []
  readonly #row: Row
  readonly #columns: Columns

  constructor(row: Row, columns: Columns) {
    this.#row = row
    this.#columns = columns
  }

  text(field: string): string | undefined {
    const name = this.#columns[field]?.find((each) => this.#row.values.has(each))
    const value = name === undefined ? undefined : this.#row.values.get(name)
    // Spreadsheets and Shopify put an apostrophe before digits that are no number, such as phone numbers.
    return value?.replace(/^'(?=[+\d])/, '')
  }

  flag(field: string): boolean | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    if (/^(true|yes|ja|wahr|1|active)$/i.test(value)) return true
    if (/^(false|no|nein|falsch|0|draft|archived|unlisted)$/i.test(value)) return false
    this.faults.push(`${field}: "${value}" is neither yes nor no`)
    return undefined
  }

  number(field: string): number | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    if (/^-?\d{1,12}([.,]\d{1,9})?$/.test(value)) return Number(value.replace(',', '.'))
    this.faults.push(`${field}: "${value}" is not a number`)
    return undefined
  }

  amount(field: string, currency: string): Amount | undefined {
    const value = this.text(field)
    if (value === undefined) return undefined
    const cents = parseCents(value)
    if (cents !== undefined) return { cents, currency }
    this.faults.push(`${field}: "${value}" is not an amount such as 14.99`)
    return undefined
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
