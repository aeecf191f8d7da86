import { categoriesOf } from '#catalog/category-tree/queries.ts'
import { productsOf } from '#catalog/products/queries.ts'
import { relationsOf } from '#people/accounts/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'

/** What has come to depend on products: sales, or files, keys, codes and reviews. Products of neither are left out. */
export async function findUsesOfProducts(db: Db, companyId: number, ids: readonly number[]): Promise<Uses> {
  const rows = await productsOf(db, companyId)
    .select([
      'products.id',
      condition`(exists (select from order_lines as line
          where line.company_id = products.company_id and line.product_id = products.product_id)
        or exists (select from entitlements as owned
          where owned.company_id = products.company_id and owned.product_id = products.product_id)
        or exists (select from entitlements as owned
          where owned.content_company_id = products.company_id and owned.content_key = products.id))`.as('is_sold'),
      condition`(exists (select from redemption_codes as code
          where code.company_id = products.company_id and code.product_key = products.id)
        or exists (select from content_files as file
          where file.company_id = products.company_id and file.product_key = products.id and file.removed_at is null)
        or exists (select from software_keys as key
          where key.company_id = products.company_id and key.product_key = products.id)
        or exists (select from reviews as review
          where review.company_id = products.company_id and review.product_key = products.id))`.as('is_used'),
    ])
    .where('products.id', '=', anyOf(ids))
    .execute()
  return usesOf(rows.map(({ id, is_sold: isSold, is_used: isUsed }) => ({ id, isSold, isUsed })))
}

/** The `product_id`s of everything that collections and variations of the company include. */
export async function readIncluded(db: Db, companyId: number): Promise<Set<string>> {
  const rows = await productsOf(db, companyId)
    .select('products.included')
    .$narrowType<{ included: { product_id: string }[] }>()
    .where(condition`products.included::text <> '[]'`)
    .execute()
  return new Set(rows.flatMap(({ included }) => included.map(({ product_id }) => product_id)))
}

/** The products that are in categories, and the categories below them. */
export async function readInCategories(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<{
  products: { category_id: number; product_key: number }[]
  children: { id: number; parent_id: number }[]
}> {
  const [products, children] = await Promise.all([
    db
      .selectFrom('category_entries')
      .select(['category_id', 'product_key'])
      .where('company_id', '=', companyId)
      .where('category_id', '=', anyOf(ids))
      .execute(),
    categoriesOf(db, companyId)
      .select(['categories.id', 'categories.parent_id'])
      .$narrowType<{ parent_id: number }>()
      .where('categories.parent_id', '=', anyOf(ids))
      .execute(),
  ])
  return { products, children }
}

/** The products that are sold for prices, or compared with them. */
export function readBoundTo(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<{ price_id: number | null; compare_price_id: number | null; product_key: number }[]> {
  return db
    .selectFrom('product_bindings')
    .select(['price_id', 'compare_price_id', 'product_key'])
    .where('company_id', '=', companyId)
    .where((where) => where.or([where('price_id', '=', anyOf(ids)), where('compare_price_id', '=', anyOf(ids))]))
    .execute()
}

/** Those of some customers who have ordered, own something but what is withdrawn, or have signed in. */
export async function findActiveCustomers(
  db: Db,
  companyId: number,
  ids: readonly number[],
  withdrawn: ReadonlySet<number>,
): Promise<Uses> {
  const rows = await relationsOf(db, companyId)
    .innerJoin('customers', 'customers.id', 'customer_relations.customer_id')
    .select([
      'customers.id',
      condition`(customer_relations.orders_count > 0
        or exists (select from orders where orders.company_id = customer_relations.company_id
          and orders.customer_token = customers.token)
        or exists (select from entitlements as owned where owned.company_id = customer_relations.company_id
          and owned.customer_id = customers.id and owned.id <> all(${[...withdrawn]}::bigint[])))`.as('is_buyer'),
      condition`(exists (select from customer_sessions as session where session.company_id = customer_relations.company_id
          and session.customer_id = customers.id)
        or exists (select from reviews as review where review.company_id = customer_relations.company_id
          and review.customer_id = customers.id)
        or exists (select from wishes as wish where wish.company_id = customer_relations.company_id
          and wish.customer_id = customers.id))`.as('is_here'),
    ])
    .where('customer_relations.customer_id', '=', anyOf(ids))
    .execute()
  return usesOf(rows.map(({ id, is_buyer: isSold, is_here: isUsed }) => ({ id, isSold, isUsed })))
}

export type CustomerParts = {
  first_name: string
  last_name: string
  note: string
  addresses: object[]
  language: string
  /** What the customer does, and not the company. */
  state: string
  verified_email: boolean
  has_password: boolean
}

/** What an import can change about customers, and what shows that they have come since. */
export async function readCustomerParts(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, CustomerParts>> {
  const rows = await relationsOf(db, companyId)
    .innerJoin('customers', 'customers.id', 'customer_relations.customer_id')
    .select([
      'customers.id',
      'customer_relations.first_name',
      'customer_relations.last_name',
      'customer_relations.note',
      'customer_relations.addresses',
      'customers.language',
      'customers.state',
      'customers.verified_email',
      condition`customers.password_hash is not null`.as('has_password'),
    ])
    .$narrowType<{ addresses: object[] }>()
    .where('customer_relations.customer_id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, ...parts }) => [id, parts]))
}

type Uses = Map<number, 'sold' | 'in_use'>

function usesOf(rows: readonly { id: number; isSold: boolean; isUsed: boolean }[]): Uses {
  const uses: Uses = new Map()
  for (const { id, isSold, isUsed } of rows) if (isSold || isUsed) uses.set(id, isSold ? 'sold' : 'in_use')
  return uses
}
