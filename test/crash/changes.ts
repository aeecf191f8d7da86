import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** A change that was answered with success, or whose answer was lost with the process that should have given it. */
export type Change = {
  topic: string
  /** Known once the service has answered, or once it was looked up. */
  resource: string | undefined
  isCertain: boolean
  /** How to see in the database whether it was made, and to what. */
  lookUp(db: Db): Promise<string | undefined>
}

export type Client = {
  changes: Change[]
  refusals: number
  makeChange(): Promise<void>
}

type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: Wire }>
// biome-ignore lint/suspicious/noExplicitAny: the driver reads whatever the wire carries.
type Wire = any

export type ClientOptions = {
  name: string
  companyId: number
  random: () => number
  /** Rejects if there was no answer. */
  ask: Ask
  film: { product_id: string }
  customer: { token: string }
}

/** Makes one change after another, each to products that no other client changes. */
export function createClient({ name, companyId, random, ask, film, customer }: ClientOptions): Client {
  const changes: Change[] = []
  const products: number[] = []
  let made = 0
  const client: Client = { changes, refusals: 0, makeChange }

  const aProduct = () => products[Math.floor(random() * products.length)]
  /** A product whose last change is uncertain is not changed again, so that it can be looked up. */
  const leave = (product: number) => products.splice(products.indexOf(product), 1)

  async function change(
    topic: string,
    lookUp: Change['lookUp'],
    asked: Parameters<Ask>,
    idOf: (body: Wire) => number,
  ): Promise<string | undefined> {
    try {
      const { status, body } = await ask(...asked)
      if (status < 200 || status > 299) throw new Error(`${asked.slice(0, 2).join(' ')} answered ${status}`)
      const resource = String(idOf(body))
      changes.push({ topic, resource, isCertain: true, lookUp })
      return resource
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      changes.push({ topic, resource: undefined, isCertain: false, lookUp })
      return undefined
    }
  }

  async function create(title: string): Promise<void> {
    const body = { product: { product_type: 1, title } }
    const lookUp = idWhere((db) =>
      sql<{ id: number }>`select id from products where company_id = ${companyId} and title = ${title}`.execute(db),
    )
    const id = await change(
      'product/create',
      lookUp,
      ['POST', '/api/products.json', body],
      (answer) => answer.product.id,
    )
    if (id !== undefined) products.push(Number(id))
  }

  async function rename(product: number, title: string): Promise<void> {
    const lookUp = idWhere((db) =>
      sql<{ id: number }>`select id from products
        where company_id = ${companyId} and id = ${product} and title = ${title}`.execute(db),
    )
    const asked = ['PUT', `/api/products/${product}.json`, { product: { title } }] as const
    if ((await change('product/update', lookUp, [...asked], () => product)) === undefined) leave(product)
  }

  async function remove(product: number): Promise<void> {
    leave(product)
    const lookUp = async (db: Db) => {
      const { rows } = await sql`select from products where company_id = ${companyId} and id = ${product}`.execute(db)
      return rows.length === 0 ? String(product) : undefined
    }
    await change('product/delete', lookUp, ['DELETE', `/api/products/${product}.json`], () => product)
  }

  async function order(number: string): Promise<void> {
    const lookUp = idWhere((db) =>
      sql<{ id: number }>`select id from orders where company_id = ${companyId} and po_number = ${number}`.execute(db),
    )
    const body = { order: { customer_token: customer.token, po_number: number, line_items: [film] } }
    await change('order/create', lookUp, ['POST', '/api/orders.json', body], (answer) => answer.order.id)
  }

  /** Asks for something that fails after some of its rows were written, or before. */
  async function beRefused(product: number): Promise<void> {
    const unknown = { product_id: '0001-0000-0000-0000' }
    const asked: Parameters<Ask>[] = [
      ['POST', '/api/orders.json', { order: { customer_token: customer.token, line_items: [film, unknown] } }],
      ['PUT', `/api/products/${product}.json`, { product: { title: '', product_type: 6 } }],
      [
        'POST',
        '/api/products.json',
        { product: { product_type: 1, title: name, price_license_binding: [UNKNOWN_PRICE] } },
      ],
    ]
    const [method, path, body] = asked[Math.floor(random() * asked.length)] ?? ['GET', '/']
    const answer = await ask(method, path, body).catch((error) => {
      if (!(error instanceof NoAnswer)) throw error
    })
    if (answer === undefined) return
    if (answer.status < 400) throw new Error(`${method} ${path} was not refused but answered ${answer.status}`)
    client.refusals += 1
  }

  async function makeChange(): Promise<void> {
    made += 1
    const unique = `${name}-${made}`
    const product = aProduct()
    const draw = random()
    if (product === undefined || draw < 0.25) await create(unique)
    else if (draw < 0.7) await rename(product, unique)
    else if (draw < 0.75) await remove(product)
    else if (draw < 0.9) await order(unique)
    else await beRefused(product)
  }

  return client
}

const UNKNOWN_PRICE = { license_id: 1, price_id: 999_999_999 }

/** The connection broke before there was an answer: the change may have been made or not. */
export class NoAnswer extends Error {}

function idWhere(read: (db: Db) => Promise<{ rows: { id: number }[] }>): Change['lookUp'] {
  return async (db) => {
    const [row] = (await read(db)).rows
    return row === undefined ? undefined : String(row.id)
  }
}
