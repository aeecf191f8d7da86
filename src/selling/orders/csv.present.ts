import { type CsvValue, csvLine } from '#platform/wire/csv.ts'
import { type OrderParts, wholeDocument } from './rules.ts'
import type { Order } from './schema.ts'

/** What a bookkeeper asks of an order. Amounts have a point, as spreadsheets and the API of other programs read them. */
const COLUMNS: readonly [name: string, value: (order: Order) => CsvValue][] = [
  ['id', ({ id }) => id],
  ['number', ({ name }) => name],
  ['order_number', ({ order_number }) => order_number],
  ['created_at', ({ created_at }) => created_at],
  ['email', ({ email }) => email],
  ['first_name', ({ customer }) => customer?.first_name ?? ''],
  ['last_name', ({ customer }) => customer?.last_name ?? ''],
  ['country', ({ customer }) => customer?.default_address?.country_code ?? ''],
  ['items', ({ line_items }) => line_items.map(({ name, quantity }) => `${quantity} × ${name}`).join('; ')],
  ['currency', ({ currency }) => currency],
  ['discounts', ({ total_discounts }) => inUnits(total_discounts)],
  ['tax', ({ total_tax }) => inUnits(total_tax)],
  ['total', ({ total_price }) => inUnits(total_price)],
  ['financial_status', ({ financial_status }) => financial_status],
  ['fulfillment_status', ({ fulfillment_status }) => fulfillment_status],
  ['gateway', ({ gateway }) => gateway],
  ['cancelled_at', ({ cancelled_at }) => cancelled_at],
  ['test', ({ test }) => test],
]

const inUnits = (cents: number) => (cents / 100).toFixed(2)

export const HEADING = csvLine(COLUMNS.map(([name]) => name))

/** Orders as the lines of a file that a spreadsheet reads. */
export function linesOf(orders: readonly OrderParts[]): string {
  return orders
    .map((parts): Order => JSON.parse(wholeDocument(parts)))
    .map((order) => csvLine(COLUMNS.map(([, value]) => value(order))))
    .join('')
}
