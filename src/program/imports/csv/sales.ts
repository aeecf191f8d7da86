import { parseTime } from '#platform/wire/times.ts'
import type { Entry, Skip } from '../importer/entries.ts'
import { nameParts } from './customers.ts'
import type { Row } from './file.ts'
import { type Columns, createPlaces, RowReader, withoutAbsent } from './values.ts'

/** The columns of a sale of before, as `columnName` writes them. */
export const SALE_COLUMNS: Columns = {
  email: ['email', 'emailaddress'],
  order_number: ['ordernumber', 'order'],
  sold_at: ['soldat', 'date', 'orderdate'],
  product: ['product', 'productname', 'title'],
  product_id: ['productid'],
  sku: ['sku'],
  license: ['license'],
  quantity: ['quantity'],
  status: ['status'],
  refunded: ['refunded'],
  first_name: ['firstname'],
  last_name: ['lastname'],
  name: ['name', 'fullname'],
  language: ['language'],
}

/** What the first line of an order says for all of its lines, which follow it. */
const OF_ORDER = ['email', 'sold_at', 'status', 'refunded', 'first_name', 'last_name', 'name', 'language']

/** The lines of an order with what only the first of them says. */
export async function* withOrders(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let first: Row | undefined
  for await (const row of rows) {
    const isSame = first !== undefined && numberOf(row) !== undefined && numberOf(row) === numberOf(first)
    if (!isSame || first === undefined) {
      first = row
      yield row
      continue
    }
    const names = OF_ORDER.flatMap((field) => SALE_COLUMNS[field] ?? [])
    const inherited = [...first.values].filter(([name]) => names.includes(name))
    yield { ...row, values: new Map([...inherited, ...row.values]) }
  }
}

function numberOf(row: Row): string | undefined {
  return new RowReader(row, SALE_COLUMNS).text('order_number')
}

/** The products of the shop by the names that other shops have for them; null: they are left out. */
export type Matches = ReadonlyMap<string, string | null>

/** A sale of before. Sales that gave nothing, or whose product is left out, are skipped. */
export function saleOf(row: Row, matches: Matches): Entry {
  const reader = new RowReader(row, SALE_COLUMNS)
  const product = reader.text('product') ?? reader.text('sku')
  const match = product === undefined ? undefined : matches.get(product)
  const whole = nameParts(reader.text('name'))
  const value = withoutAbsent({
    email: reader.text('email'),
    first_name: reader.text('first_name') ?? whole.first_name,
    last_name: reader.text('last_name') ?? whole.last_name,
    language: reader.text('language'),
    order_number: reader.text('order_number'),
    sold_at: timeOf(reader),
    product,
    product_id: match ?? reader.text('product_id'),
    sku: reader.text('sku'),
    license: reader.text('license'),
    quantity: reader.number('quantity'),
  })
  const why = match === null ? LEFT_OUT : whyNothing(reader)
  return {
    where: `line ${row.line}`,
    lines: [row.line],
    placeOf: createPlaces(reader, {}, { product_ref: 'product', license_id: 'license' }),
    values: () => reader.values(),
    value,
    ...(why === undefined ? { faults: reader.faults } : { skipped: why }),
  }
}

const LEFT_OUT: Skip = { reason: 'sale_left_out', message: 'its product is left out' }
const REFUNDED: Skip = { reason: 'sale_refunded', message: 'it was refunded' }

/** Only what was paid and not given back gives something. */
function whyNothing(reader: RowReader): Skip | undefined {
  if (reader.flag('refunded') === true || reader.text('quantity') === '0') return REFUNDED
  const status = reader.text('status')?.toLowerCase()
  if (status === undefined || PAID.has(status)) return undefined
  return status === 'refunded' ? REFUNDED : { reason: 'sale_unpaid', message: `it was not paid (${status})` }
}

const PAID = new Set(['paid', 'partially_refunded', 'completed', 'processing', 'successful'])

/** A time in one of the forms that shops write, such as `2026-05-01 10:00:00 +0200`. */
function timeOf(reader: RowReader): string | undefined {
  const text = reader.text('sold_at')
  if (text === undefined) return undefined
  const time = parseTime(text.replace(/^(\S+) (\S+)(?: ?([+-]\d{2}):?(\d{2})| UTC| Z)?$/, inIso))
  if (time !== undefined) return time.toISOString().slice(0, 19)
  return reader.refuse('sold_at', 'not_a_time', `sold_at: "${text}" is not a time such as 2026-05-01 10:00`)
}

function inIso(_whole: string, day: string, hour: string, hours?: string, minutes?: string): string {
  const clock = /^\d{2}:\d{2}$/.test(hour) ? `${hour}:00` : hour
  return `${day}T${clock}${hours === undefined ? '' : `${hours}:${minutes}`}`
}
