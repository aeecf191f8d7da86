import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { PerCompany } from './sizes.ts'

/** What a company has many of. Ids of copies begin behind the last one that the service has given. */
export const COUNTED = ['products', 'customers', 'orders', 'entitlements'] as const
export type Counted = (typeof COUNTED)[number]
export type Bases = Record<Counted | 'companies' | 'parts', number>

/** What the copies are made of, and how they are numbered. */
export type Plan = {
  companyId: number
  companies: number
  /** The one of each that the service has written. */
  models: Record<Counted, number>
  bases: Bases
  whole: PerCompany
}

/**
 * The tables that grow with a sale: of what each has one row, and what differs between its rows. Everything else is copied from
 * the row that the service has written. In the expressions, `k` numbers the things of a company from 0, and `c` the companies.
 */
export type Copied = {
  table: string
  of: Counted
  /** The column with the id of the thing that the row is about. */
  key: string
  changes: Record<string, string>
}

/** The id of a thing of the company. Things of all companies take turns, as they do on a platform. */
export function idOf({ bases, companies }: Plan, what: Counted, k = 'k'): string {
  return `(${bases[what]} + (${k}) * ${companies} + c + 1)`
}

/** The same for a thing of the first company, as a number. */
export function numberOf({ bases, companies }: Plan, what: Counted, k: number): number {
  return bases[what] + k * companies + 1
}

/** A product id of the form that the service gives. */
const productIdOf = (id: string) => `to_char(${id}, 'FM0000"-"0000"-"0000"-"0000')`

/** The same for a number. */
export function productIdOfNumber(id: number): string {
  return String(id)
    .padStart(16, '0')
    .replace(/(....)(?=.)/g, '$1-')
}

const tokenOf = (id: string) => `translate(lpad(${id}::text, 16, '0'), '0123456789', 'QRSTUVWXYZ')`

export function copiedTables(plan: Plan): Copied[] {
  const { whole, bases, companies } = plan
  const id = (what: Counted, k?: string) => idOf(plan, what, k)
  const [ordersEach, usesEach] = [whole.orders / whole.customers, whole.entitlements / whole.orders]
  const customer = id('customers', `floor(k / ${ordersEach})::bigint`)
  const owner = id('customers', `floor(k / ${ordersEach * usesEach})::bigint`)
  const order = id('orders', `floor(k / ${usesEach})::bigint`)
  /** Sales go to what was there when they were made. */
  const sold = id('products', `(k * 7919) % greatest(1, floor(k * ${whole.products / whole.orders})::bigint)`)
  const owned = id('products', `(k * 7919) % greatest(1, floor(k * ${whole.products / whole.entitlements})::bigint)`)
  /** Parts of orders and of products take their ids from one sequence. */
  const binding = `(${bases.parts + whole.orders * companies} + k * ${companies} + c + 1)`
  const line = `(${bases.parts} + k * ${companies} + c + 1)`
  /** Two years, the latest behind the others. */
  const time = (all: number) => `date_trunc('second', now() - interval '2 years' * (1 - k / ${all}::float8))`
  const titled = (k: string) => `'Film ' || ${k}`
  return [
    {
      table: 'customers',
      key: 'id',
      of: 'customers',
      changes: {
        id: id('customers'),
        token: tokenOf(id('customers')),
        email: `'grown-' || ${id('customers')} || '@customer.example'`,
      },
    },
    {
      table: 'customer_relations',
      key: 'customer_id',
      of: 'customers',
      changes: { customer_id: id('customers'), last_name: `'Roe ' || k`, created_at: time(whole.customers) },
    },
    {
      table: 'products',
      key: 'id',
      of: 'products',
      changes: {
        id: id('products'),
        product_id: productIdOf(id('products')),
        title: titled('k'),
        created_at: time(whole.products),
        document: `replace(replace(document, product_id, ${productIdOf(id('products'))}), '"id":' || id || ',', '"id":' || ${id('products')} || ',')`,
      },
    },
    {
      table: 'product_words',
      key: 'product_key',
      of: 'products',
      changes: {
        product_key: id('products'),
        sort_title: `'film ' || k`,
        title_words: wordsOf('title_words', plan),
        text_words: wordsOf('text_words', plan),
      },
    },
    {
      table: 'product_bindings',
      of: 'products',
      key: 'product_key',
      changes: { id: binding, product_key: id('products') },
    },
    {
      table: 'orders',
      key: 'id',
      of: 'orders',
      changes: {
        id: id('orders'),
        customer_id: customer,
        customer_token: tokenOf(customer),
        email: `'grown-' || ${customer} || '@customer.example'`,
        order_number: `'#' || ${id('orders')}`,
        checkout_token: `'grown-' || ${id('orders')}`,
        created_at: time(whole.orders),
        updated_at: time(whole.orders),
        processed_at: time(whole.orders),
      },
    },
    {
      table: 'order_lines',
      key: 'order_id',
      of: 'orders',
      changes: { id: line, order_id: id('orders'), product_key: sold, product_id: productIdOf(sold) },
    },
    {
      table: 'entitlements',
      key: 'id',
      of: 'entitlements',
      changes: {
        id: id('entitlements'),
        customer_id: owner,
        customer_token: tokenOf(owner),
        order_id: order,
        line_id: `(${bases.parts} + floor(k / ${usesEach})::bigint * ${companies} + c + 1)`,
        piece: `k % ${Math.max(1, Math.floor(usesEach))} + 1`,
        product_key: owned,
        product_id: productIdOf(owned),
        acquired_at: time(whole.entitlements),
        granted_at: time(whole.entitlements),
      },
    },
  ]
}

/** The words of a copy have the mark of its own company, and a number that other products do not have. */
function wordsOf(column: string, { companyId }: Plan): string {
  return `replace(${column}::text, '''@${companyId}''', '''@' || (${companyId} + c) || '''')::tsvector || to_tsvector('simple', 'grown' || k)`
}

export async function readBases(db: Db): Promise<Bases> {
  const last = (sequence: string) => sql`(select last_value from ${sql.table(sequence)})::float8`
  const { rows } =
    await sql<Bases>`select ${last('products_id_seq')} as products, ${last('customers_id_seq')} as customers,
    ${last('orders_id_seq')} as orders, ${last('entitlements_id_seq')} as entitlements,
    ${last('companies_id_seq')} as companies, ${last('part_ids')} as parts`.execute(db)
  const [bases] = rows
  if (bases === undefined) throw new Error('the sequences say nothing')
  return bases
}
