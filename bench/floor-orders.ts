import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { asciiJson } from '#platform/wire/times.ts'

/**
 * An order of the floor: the same rows as the service's, ready-made, in one transaction whose statements are sent
 * together.
 */

const CONNECTIONS = 10

type Row = Record<string, unknown>
type Customer = { id: number; email: string; document: Row & { orders_count: number; total_spent: number } }
type Ids = { take(): string }

/** The rows that an order of the floor is copied from, as floor-tables.ts has stored them. */
type Ready = {
  order: Row & { document: string; home_cents: number }
  lines: Row[]
  customers: (Customer & { token: string })[]
}

function inserting(table: string, columns: string[], rows: number): string {
  const places = Array.from(
    { length: rows },
    (_, row) => `(${columns.map((_, index) => `$${row * columns.length + index + 1}`).join(', ')})`,
  )
  return `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`
}

const COUNT = `insert into order_changes (company_id, order_id, amount, utc_day, financial_status, fulfillment_status, day,
    source_name, operating_system, country_code, referrer, record, products)
  values ($1, $2, 1, $3, 'paid', 'fulfilled', $3, 'api', 'unknown', 'DE', '', $4, $5)`
const NOTE = `update customer_relations set orders_count = $3, total_spent = $4, last_order_id = $5, last_order_name = $6,
    updated_at = $7, document = $8 where company_id = $1 and customer_id = $2`
const EMIT = `insert into events (company_id, topic, data, created_at) values ($1, 'order/create', $2, $3)`

/** The values of a row as parameters: a JSON column becomes text again. */
function values(row: Row, columns: string[]): unknown[] {
  return columns.map((name) => {
    const value = row[name]
    return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
  })
}

export function orderMaker(
  connection: pg.ClientConfig,
  companyId: number,
  { order, lines, customers }: Ready,
  orderIds: Ids,
  partIds: Ids,
): (body: string) => Promise<string> {
  const poolOptions = { ...connection, pipeline: true, max: CONNECTIONS }
  const pool = new pg.Pool(poolOptions)
  const byToken = new Map(customers.map((customer) => [customer.token, customer]))
  const document: Row & { line_items: Row[] } = JSON.parse(order.document)
  const [orderColumns, lineColumns] = [Object.keys(order), Object.keys(lines[0] ?? {})]
  const [insertOrder, insertLines] = [
    inserting('orders', orderColumns, 1),
    inserting('order_lines', lineColumns, lines.length),
  ]
  const products = JSON.stringify(
    lines.map(({ product_key, product_id, title }) => ({ product_key, product_id, name: title, count: 1, amount: 0 })),
  )
  const { home_cents } = order
  const record = `{1,${home_cents},1,${home_cents},0,0,2,2,${home_cents},0,0,2,${home_cents},0,0}`
  return async (body) => {
    const asked: { order: { customer_token: string } } = JSON.parse(body)
    const customer = byToken.get(asked.order.customer_token)
    if (customer === undefined) throw new Error(`there is no customer ${asked.order.customer_token}`)
    const now = new Date().toISOString().slice(0, 19)
    const id = Number(orderIds.take())
    const lineIds = lines.map(() => Number(partIds.take()))
    const fresh = { created_at: now, updated_at: now, processed_at: now }
    const whose = { customer_token: customer.token, email: customer.email }
    const checkout = { checkout_id: id, checkout_token: randomBytes(16).toString('base64url') }
    const text = asciiJson({
      ...document,
      ...fresh,
      ...whose,
      ...checkout,
      id,
      name: `#${id}`,
      line_items: document.line_items.map((line, index) => ({ ...line, id: lineIds[index] })),
    })
    const seen = customer.document
    seen.orders_count += 1
    seen.total_spent += order.home_cents
    const buyer = asciiJson({ ...seen, last_order_id: id, last_order_name: `#${id}`, updated_at: now })
    const row = { ...order, ...fresh, ...whose, ...checkout, company_id: companyId, id, customer_id: customer.id }
    const ofOrder = (line: Row, index: number) => ({
      ...line,
      company_id: companyId,
      id: lineIds[index],
      order_id: id,
    })
    const lineValues = lines.flatMap((line, index) => values(ofOrder(line, index), lineColumns))
    const note = [companyId, customer.id, seen.orders_count, seen.total_spent, id, `#${id}`, now, buyer]
    await together(pool, [
      ['order', insertOrder, values({ ...row, document: text }, orderColumns)],
      ['order lines', insertLines, lineValues],
      ['note', NOTE, note],
      ['count', COUNT, [companyId, id, now.slice(0, 10), record, products]],
      ['emit', EMIT, [companyId, JSON.stringify({ type: 'order', id: String(id) }), now]],
    ])
    return `{"order":${text.slice(0, -1)},"customer":${buyer}}}`
  }
}

async function together(pool: pg.Pool, statements: [string, string, unknown[]][]): Promise<void> {
  const client = await pool.connect()
  try {
    const done = [
      client.query('begin'),
      ...statements.map(([name, text, values]) => client.query({ name, text, values })),
      client.query('commit'),
    ]
    await Promise.all(done)
  } finally {
    client.release()
  }
}
