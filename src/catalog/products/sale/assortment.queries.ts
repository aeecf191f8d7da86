import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { hasCompleteTerms, notForSaleBecause } from '../lists/appearance.queries.ts'
import { isBuyable, isLowInStock, isNotBuyable } from '../lists/filters.queries.ts'
import { productsOf } from '../queries.ts'
import { PHYSICAL } from '../types.facts.ts'

/** Of the products that have all they need, the latest are asked whether somebody can buy them now: the others wait. */
const LOOKED_AT_MAX = 100

const hasBuyable = (companyId: number, now: Date) => condition`exists (
  select from (select * from products where products.company_id = ${companyId} and ${isBuyable}
    order by products.id desc limit ${sql.lit(LOOKED_AT_MAX)}) as products
  where ${notForSaleBecause(now)} is null and ${hasCompleteTerms})`

/** Goods are shipped, and so is what is sold under a license for a disc. */
const hasGoods = (companyId: number) => condition`(
  exists (select from products where products.company_id = ${companyId}
    and products.product_type = ${sql.lit(PHYSICAL)})
  or exists (select from licenses as license where license.company_id in (0, ${companyId}) and license.physical = 1
    and exists (select from product_bindings as binding
      where binding.company_id = ${companyId} and binding.license_id = license.id)))`

const latestOf = prepare((db: Db, companyId: number, now: Date) =>
  productsOf(db, companyId)
    .select([
      'products.id',
      'products.title',
      'products.published',
      'products.priced',
      'products.has_content',
      hasBuyable(companyId, now).as('has_buyable'),
      hasGoods(companyId).as('has_goods'),
    ])
    .orderBy('products.id', 'desc')
    .limit(1)
    .compile(),
)

/** What a company has for sale, as far as somebody who sets up a shop has to know. */
export type Assortment = {
  /** Is there a product that a customer can buy now? */
  has_buyable: boolean
  /** Has anything to be shipped? */
  has_goods: boolean
  /** The product that was made last; undefined if there is none. */
  latest: Columns<'products', 'id' | 'title' | 'published' | 'priced' | 'has_content'> | undefined
}

export async function readAssortment(db: Db, companyId: number, now: Date): Promise<Assortment> {
  const [row] = await latestOf(db, companyId, now)
  if (row === undefined) return { has_buyable: false, has_goods: false, latest: undefined }
  const { has_buyable, has_goods, ...latest } = row
  return { has_buyable, has_goods, latest }
}

type Found = Columns<'products', 'id' | 'title'>

/** How many products need their owner, and the latest of them. */
export type Flawed = { count: number; latest: Found | undefined }

/** The count is worked out on its own, in the index, without looking at the products. */
const prepareFlaw = (flawOf: (companyId: number) => ReturnType<typeof condition>) =>
  prepare((db: Db, companyId: number) => {
    const flawed = productsOf(db, companyId).where(flawOf(companyId))
    const counted = flawed.select((select) => select.fn.countAll<number>().as('count'))
    return flawed
      .select(['products.id', 'products.title', counted.as('count')])
      .orderBy('products.id', 'desc')
      .limit(1)
      .compile()
  })

const notBuyable = prepareFlaw(() => isNotBuyable)
const lowInStock = prepareFlaw(isLowInStock)

function flawedOf([row]: readonly (Found & { count: number | null })[]): Flawed {
  return row === undefined
    ? { count: 0, latest: undefined }
    : { count: row.count ?? 0, latest: { id: row.id, title: row.title } }
}

/** The products that are shown and cannot be bought, and those of which few are left. */
export async function readFlaws(db: Db, companyId: number): Promise<{ notBuyable: Flawed; lowStock: Flawed }> {
  const [lost, few] = await Promise.all([notBuyable(db, companyId), lowInStock(db, companyId)])
  return { notBuyable: flawedOf(lost), lowStock: flawedOf(few) }
}
