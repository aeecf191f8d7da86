import type pg from 'pg'
import type { Asked, Case } from './cases.ts'
import { pick } from './pick.ts'

export const ORDER_CASE_NAMES = ['one-order', 'orders', 'order'] as const
export type OrderCaseName = (typeof ORDER_CASE_NAMES)[number]

const SINGLES = 500
const PAGES = 100
/** How many customers order, again and again. */
export const BUYERS = 200
const ANY = 10_000

const get = (path: string): Asked => ({ method: 'GET', path })

/** Products that are delivered at once, under one license and in one resolution. */
const FOR_SALE = `select product.product_id, binding.license_id::int, coalesce(binding.hd, false) as hd
  from products as product
  join product_bindings as binding on binding.company_id = product.company_id and binding.product_key = product.id
  where product.company_id = $1 and product.published and product.published_at <= now()
    and product.product_type in (1, 5, 9, 16, 24) and binding.position = 0`

type Sold = { product_id: string; license_id: number; hd: boolean }

/**
 * Without the mail, which the worker writes later: here it would take the processor from the orders that are measured.
 */
function newOrder(customer_token: string, line_items: Sold[]): string {
  return JSON.stringify({ order: { customer_token, line_items, customer_notification: 0 } })
}

/** The requests of the cases with orders, for orders, customers and products that exist. */
export async function makeOrderCases(client: pg.Client, companyId: number): Promise<Record<OrderCaseName, Case>> {
  const read = async <Row extends object>(text: string) => (await client.query<Row>(text, [companyId])).rows
  const ids = (await read<{ id: string }>('select id from orders where company_id = $1 order by id')).map(
    ({ id }) => id,
  )
  const buyers = await read<{ token: string }>(
    `select token from customers join customer_relations on customer_id = id where company_id = $1
     order by id limit ${BUYERS}`,
  )
  const sold = await read<Sold>(FOR_SALE)
  const line = () => pick(sold)
  return {
    'one-order': {
      name: 'one-order',
      title: 'one order',
      requests: Array.from({ length: SINGLES }, () => get(`/api/orders/${pick(ids)}.json`)),
      connectionsMax: ANY,
      aim: 0.6,
    },
    orders: {
      name: 'orders',
      title: 'list of 50 orders',
      // A full page that has a next one, from a random start.
      requests: Array.from({ length: PAGES }, () =>
        get(`/api/orders.json?limit=50&since_id=${pick(ids, ids.length - 51)}`),
      ),
      connectionsMax: ANY,
      aim: 0.6,
    },
    order: {
      name: 'order',
      title: 'create order',
      requests: buyers.map(({ token }) => ({
        method: 'POST',
        path: '/api/orders.json',
        body: newOrder(token, [line(), line()]),
      })),
      connectionsMax: ANY,
      status: 201,
      aim: 0.6,
    },
  }
}
