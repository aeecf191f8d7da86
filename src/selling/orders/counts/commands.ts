import { sql } from 'kysely'
import { findTestClock } from '#identity/test-clocks/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { OrderState } from '../state.ts'
import { changeOf, changesOf, type OrderChange } from './rules.ts'

const COLUMNS = [
  'order_id',
  'amount',
  'utc_day',
  'financial_status',
  'fulfillment_status',
  'day',
  'source_name',
  'operating_system',
  'country_code',
  'referrer',
] as const

const columns = sql.join([...COLUMNS, 'record', 'products'].map((name) => sql.ref(name)))

/** The orders of a sandbox are all tests, and its statistics are of them. Elsewhere tests are counted by state alone. */
const isSandbox = (companyId: number) =>
  sql`exists (select from test_clocks where test_clocks.company_id = ${companyId})`

const insertChange = prepareWrite(
  'insert',
  'order_changes',
  (
    tx: Tx,
    companyId: number,
    isTest: boolean,
    record: string | null,
    products: string,
    ...values: (string | number)[]
  ) =>
    sql`insert into order_changes (company_id, ${columns})
      values (${companyId}, ${sql.join(values)},
        case when not ${isTest}::boolean or ${isSandbox(companyId)} then ${record}::bigint[] end,
        case when not ${isTest}::boolean or ${isSandbox(companyId)} then ${products}::json else '[]'::json end)`.compile(
      tx,
    ),
)

function append(tx: Tx, change: OrderChange): Promise<void> {
  const record = change.record && `{${change.record.join()}}`
  const products = JSON.stringify(change.products)
  return insertChange(tx, change.company_id, change.is_test, record, products, ...COLUMNS.map((name) => change[name]))
}

/** Counts a new order in the transaction that adds it. It only appends a row, so that sales do not wait for each other. */
export function countIn(tx: Tx, order: OrderState): Promise<void> {
  return append(tx, changeOf(order, 1))
}

/** Counts many orders in at once. */
export async function countAllIn(tx: Tx, companyId: number, orders: readonly OrderState[]): Promise<void> {
  const countsTests = (await findTestClock(tx, companyId)) !== undefined
  const counted = orders.map((order) => changeOf(order, 1))
  const changes = JSON.stringify(
    counted.map((change) => (change.is_test && !countsTests ? { ...change, record: null, products: [] } : change)),
  )
  await sql`insert into order_changes (company_id, ${columns})
    select company_id, ${columns} from json_populate_recordset(null::order_changes, ${changes}::json)
    where company_id = ${companyId}`.execute(tx)
}

/** Counts an order as it is after a change. Write this for every change of status, money or lines. */
export async function recount(tx: Tx, before: OrderState, after: OrderState): Promise<void> {
  await Promise.all(changesOf(before, after).map((change) => append(tx, change)))
}
