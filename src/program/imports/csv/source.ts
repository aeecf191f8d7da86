import type { Entry, Kind, Source } from '../importer/entries.ts'
import { UnreadableFile } from '../importer/unreadable.ts'
import {
  MEMBER_COLUMNS,
  memberOf,
  RECIPIENT_COLUMNS,
  recipientOf,
  SUBSCRIBER_COLUMNS,
  subscriberOf,
} from './audience.ts'
import { CODE_COLUMNS, codeOf } from './codes.ts'
import { CUSTOMER_COLUMNS, customerOf, groupCustomers } from './customers.ts'
import { type Choices, type Edits, NO_CHOICES } from './edits.ts'
import { type CsvFile, columnName, readHeadings, readRows } from './file.ts'
import type { CsvKind } from './kinds.facts.ts'
import { findPreset, knownFields, presetOf } from './presets/rules.ts'
import type { OtherShop, Preset } from './presets/state.ts'
import { groupVariations } from './presets/variations.ts'
import { groupPrices, PRICE_COLUMNS, priceOf } from './prices.ts'
import { type Defaults, groupRows, PRODUCT_COLUMNS, productOf } from './products.ts'
import { SALE_COLUMNS, saleOf, withOrders } from './sales.ts'
import type { Columns } from './values.ts'

export const COLUMNS: Record<CsvKind, Columns> = {
  products: PRODUCT_COLUMNS,
  customers: CUSTOMER_COLUMNS,
  prices: PRICE_COLUMNS,
  sales: SALE_COLUMNS,
  redemption_codes: CODE_COLUMNS,
  news_recipients: RECIPIENT_COLUMNS,
  group_members: MEMBER_COLUMNS,
  subscribers: SUBSCRIBER_COLUMNS,
}

const has = (headings: readonly string[], ...names: string[]) =>
  headings.some((heading) => names.includes(columnName(heading)))

/** The kind of a file by its columns; undefined if they do not tell. */
export function kindOf(headings: readonly string[]): CsvKind | undefined {
  const isSale = has(headings, 'ordernumber', 'soldat') && has(headings, 'product', 'productname', 'productid', 'sku')
  if (has(headings, 'email', 'emailaddress')) {
    if (has(headings, 'confirmedat', 'confirmtime', 'consentdate', 'consentsource')) return 'news_recipients'
    if (!has(headings, 'groupid')) return isSale ? 'sales' : 'customers'
    return has(headings, 'endsat') ? 'subscribers' : 'group_members'
  }
  if (has(headings, 'code', 'redemptioncode') && has(headings, 'product', 'productname', 'productid'))
    return 'redemption_codes'
  if (has(headings, 'handle', 'urlhandle', 'sku', 'variantsku', 'producttype', 'productid', 'description', 'imagesrc'))
    return 'products'
  const knowsPrices = headings.every((heading) => heading === '' || isKnown(PRICE_COLUMNS, heading))
  return has(headings, 'title', 'name') && knowsPrices ? 'prices' : undefined
}

/** The field that a heading stands for by its name. */
export function fieldOf(columns: Columns, heading: string): string | undefined {
  return Object.entries(columns).find(([, names]) => names.includes(columnName(heading)))?.[0]
}

function isKnown(columns: Columns, heading: string): boolean {
  return fieldOf(columns, heading) !== undefined
}

/** Opens a CSV file: reads it once to find every mistake in its form and to count its entries. */
export async function openCsv(
  csv: CsvFile,
  chosen: CsvKind | undefined,
  defaults: Defaults,
  choices: Choices = NO_CHOICES,
  shop?: OtherShop | null,
): Promise<Source> {
  const headings = await readHeadings(csv)
  const recognised = shop === undefined ? findPreset(headings) : undefined
  const kind = chosen ?? recognised?.kind ?? kindOf(headings)
  if (kind === undefined)
    throw new UnreadableFile('kind_unknown', (file) => `The columns of ${file} do not say what it is`)
  const preset = presetOf(shop ?? recognised?.shop ?? null, kind, headings)
  // On the command line nobody has chosen fields.
  const fields =
    shop === undefined && preset !== undefined
      ? knownFields(preset, headings, (heading) => fieldOf(COLUMNS[kind], heading))
      : choices.fields
  const isLeftOut = (heading: string) =>
    fields.has(heading) ? fields.get(heading) === null : !isKnown(COLUMNS[kind], heading)
  const unknown = headings.filter((heading) => heading !== '' && isLeftOut(heading))
  if (unknown.length === headings.length)
    throw new UnreadableFile(
      'no_known_column',
      (file) => `${file} has no column that ${kind} have: its first line must name the columns`,
    )
  const edits = { ...choices, fields, columns: COLUMNS[kind], convert: preset?.convert }
  const read = () => withoutLeftOut(READERS[kind](csv, defaults, edits, preset), edits)
  let count = 0
  for await (const _entry of read()) count += 1
  return {
    lists: new Map<Kind, number>([[kind, count]]),
    read,
    notes: unknown.length === 0 ? [] : [`Columns that are not imported: ${unknown.join(', ')}.`],
  }
}

async function* withoutLeftOut(entries: AsyncIterable<Entry>, { leftOut }: Edits): AsyncGenerator<Entry> {
  for await (const entry of entries) if (!entry.lines?.some((line) => leftOut.has(line))) yield entry
}

type Reader = (csv: CsvFile, defaults: Defaults, edits: Edits, preset: Preset | undefined) => AsyncGenerator<Entry>

const READERS: Record<CsvKind, Reader> = {
  async *products(csv, defaults, edits, preset) {
    const read = () => readRows(csv, edits)
    const groups = preset?.shop === 'woocommerce' ? groupVariations(read) : groupRows(read())
    for await (const rows of groups) yield productOf(rows, defaults)
  },
  async *customers(csv, _defaults, edits) {
    for await (const rows of groupCustomers(readRows(csv, edits))) yield customerOf(rows)
  },
  async *news_recipients(csv, _defaults, edits) {
    for await (const row of readRows(csv, edits)) yield recipientOf(row)
  },
  async *group_members(csv, _defaults, edits) {
    for await (const row of readRows(csv, edits)) yield memberOf(row)
  },
  async *subscribers(csv, _defaults, edits) {
    for await (const row of readRows(csv, edits)) yield subscriberOf(row)
  },
  async *prices(csv, { currency }, edits) {
    for await (const rows of groupPrices(readRows(csv, edits))) yield priceOf(rows, currency)
  },
  async *sales(csv, _defaults, edits) {
    for await (const row of withOrders(readRows(csv, edits))) yield saleOf(row, edits.matches)
  },
  async *redemption_codes(csv, _defaults, edits) {
    for await (const row of readRows(csv, edits)) yield codeOf(row)
  },
}
