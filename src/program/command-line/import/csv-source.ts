import { StartError } from '#program/boot/start-error.ts'
import { CUSTOMER_COLUMNS, customerOf } from './csv-customers.ts'
import { type CsvFile, columnName, readHeadings, readRows } from './csv-file.ts'
import { groupPrices, PRICE_COLUMNS, priceOf } from './csv-prices.ts'
import { type Defaults, groupRows, PRODUCT_COLUMNS, productOf } from './csv-products.ts'
import type { Columns } from './csv-values.ts'
import type { Entry, Kind, Source } from './entries.ts'

export const CSV_KINDS = ['products', 'customers', 'prices'] as const
export type CsvKind = (typeof CSV_KINDS)[number]

const COLUMNS: Record<CsvKind, Columns> = {
  products: PRODUCT_COLUMNS,
  customers: CUSTOMER_COLUMNS,
  prices: PRICE_COLUMNS,
}

const has = (headings: readonly string[], ...names: string[]) =>
  headings.some((heading) => names.includes(columnName(heading)))

/** The kind of a file by its columns; undefined if they do not tell. */
export function kindOf(headings: readonly string[]): CsvKind | undefined {
  if (has(headings, 'email', 'emailaddress')) return 'customers'
  if (has(headings, 'handle', 'urlhandle', 'sku', 'variantsku', 'producttype', 'productid', 'description', 'imagesrc'))
    return 'products'
  const knowsPrices = headings.every((heading) => heading === '' || isKnown(PRICE_COLUMNS, heading))
  return has(headings, 'title', 'name') && knowsPrices ? 'prices' : undefined
}

function isKnown(columns: Columns, heading: string): boolean {
  return Object.values(columns).some((names) => names.includes(columnName(heading)))
}

/** Opens a CSV file: reads it once to find every mistake in its form and to count its entries. */
export async function openCsv(csv: CsvFile, chosen: CsvKind | undefined, defaults: Defaults): Promise<Source> {
  const headings = await readHeadings(csv)
  const kind = chosen ?? kindOf(headings)
  if (kind === undefined)
    throw new StartError(`The columns of ${csv.file} do not say what it is: add --as ${CSV_KINDS.join(', --as ')}.`, 2)
  const unknown = headings.filter((heading) => heading !== '' && !isKnown(COLUMNS[kind], heading))
  if (unknown.length === headings.length)
    throw new StartError(`${csv.file} has no column that ${kind} have: its first line must name the columns.`, 2)
  const read = () => READERS[kind](csv, defaults)
  let count = 0
  for await (const _entry of read()) count += 1
  return {
    lists: new Map<Kind, number>([[kind, count]]),
    read,
    notes: unknown.length === 0 ? [] : [`Columns that are not imported: ${unknown.join(', ')}.`],
  }
}

const READERS: Record<CsvKind, (csv: CsvFile, defaults: Defaults) => AsyncGenerator<Entry>> = {
  async *products(csv, defaults) {
    for await (const rows of groupRows(readRows(csv))) yield productOf(rows, defaults)
  },
  async *customers(csv) {
    for await (const row of readRows(csv)) yield customerOf(row)
  },
  async *prices(csv, { currency }) {
    for await (const rows of groupPrices(readRows(csv))) yield priceOf(rows, currency)
  },
}
