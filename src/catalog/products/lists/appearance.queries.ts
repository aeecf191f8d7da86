import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { productsOf } from '../queries.ts'
import { ALL_THEMES } from '../rules.ts'
import type { HiddenReason, NotForSaleReason } from '../state.ts'
import { PHYSICAL } from '../types.facts.ts'

/**
 * The one rule for what appears in a shop, as conditions on a row of `products`. Shop pages, the marketplace and sales
 * each use the conditions that concern them, so that they never disagree.
 */

/** A value, or SQL that stands for one. */
export type Value<Type> = Type | RawBuilder<unknown>

type Condition = RawBuilder<SqlBool>

const isPublished: Condition = condition`products.published`

/**
 * A mirrored product is sold as long as its owner offers it to the company. The marketplace comes after products, so its table is
 * read.
 */
const isValid: Condition = condition`(products.valid and (not products.mirrored or exists (
  select from product_mirrors as mirror
  join market_offers as offer on offer.company_id = mirror.owner_id and offer.withdrawn_at is null
    and (offer.company_ids is null or mirror.company_id = any(offer.company_ids))
  join products as original on original.company_id = mirror.owner_id and original.id = mirror.original_key
  where mirror.company_id = products.company_id and mirror.product_key = products.id)))`

/** A product may be incomplete only while it is sold before its release. */
const isPreSale = (now: Value<Date>): Condition =>
  condition`(products.pre_sales and coalesce(products.published_at > ${now}::timestamptz, false))`

const isReleased = (now: Value<Date>): Condition =>
  condition`(products.published_at is null or products.published_at <= ${now}::timestamptz or products.pre_sales)`

const hasBindings: Condition = condition`exists (select from product_bindings as binding
  where binding.company_id = products.company_id and binding.product_key = products.id)`

/** A mirrored product is sold under the licenses and for the prices of its owner. */
const hasBindingThat = (flaw: RawBuilder<unknown>): Condition => condition`exists (
  select from product_bindings as binding
  left join product_mirrors as mirror
    on mirror.company_id = binding.company_id and mirror.product_key = binding.product_key
  left join licenses as license
    on license.id = binding.license_id and license.company_id in (0, coalesce(mirror.owner_id, binding.company_id))
  left join prices as price
    on price.id = binding.price_id and price.company_id = coalesce(mirror.owner_id, binding.company_id)
  where binding.company_id = products.company_id and binding.product_key = products.id and (${flaw}))`

/** Goods have a price and no license. */
const lacksLicense = sql`binding.license_id is null and products.product_type <> ${sql.lit(PHYSICAL)}`
const hasOldLicense = sql`binding.license_id is not null and license.valid is distinct from 1`
const lacksPrice = sql`binding.price_id is null`
const hasOldPrice = sql`binding.price_id is not null and price.valid is distinct from 1`

/** Every binding has a valid price and, unless the product is physical, a valid license. */
export const hasCompleteTerms: Condition = condition`(${hasBindings} and not ${hasBindingThat(
  sql`${lacksLicense} or ${hasOldLicense} or ${lacksPrice} or ${hasOldPrice}`,
)})`

/** A product without themes is in all of them. */
export const isInTheme = (themeId: Value<number | null>): Condition => condition`(
  not exists (select from product_themes as part
    where part.company_id = products.company_id and part.product_key = products.id)
  or exists (select from product_themes as part
    where part.company_id = products.company_id and part.product_key = products.id
      and part.theme_id in (${sql.lit(ALL_THEMES)}, ${themeId}::bigint)))`

/** A product in several categories needs one that is enabled. `ids` leaves only products in one of these. */
export const isInEnabledCategory = (ids: Value<number[] | null> = sql`null`): Condition => condition`(
  exists (select from category_entries as entry
    where entry.company_id = products.company_id and entry.product_key = products.id
      and (select category.enabled from categories as category
        where category.company_id = entry.company_id and category.id = entry.category_id)
      and (${ids}::bigint[] is null or entry.category_id = any(${ids}::bigint[])))
  or (${ids}::bigint[] is null and not exists (select from category_entries as entry
    where entry.company_id = products.company_id and entry.product_key = products.id)))`

/** With groups, the present has to lie in the time of one of them. The end is not part of that time. */
const isInTimeOfGroups = (now: Value<Date>): Condition => condition`(
  not exists (select from product_groups as part
    where part.company_id = products.company_id and part.product_key = products.id)
  or exists (select from product_groups as part
    where part.company_id = products.company_id and part.product_key = products.id
      and coalesce(part.start_at <= ${now}::timestamptz, true) and coalesce(part.end_at > ${now}::timestamptz, true)))`

/** Another company may take a product into its shop: it is the owner's own, published and valid. */
export const isOffered: Condition = condition`(not products.mirrored and products.valid and ${isPublished})`

type Check<Reason> = [reason: Reason, isMet: Condition]

const firstUnmet = <Reason extends HiddenReason>(checks: readonly Check<Reason>[]): RawBuilder<Reason | null> =>
  sql<Reason | null>`case ${sql.join(
    checks.map(([reason, isMet]) => sql`when not ${isMet} then ${sql.lit(reason)}`),
    sql` `,
  )} end`

const saleChecks = (now: Value<Date>): Check<NotForSaleReason>[] => [
  ['not published', isPublished],
  ['no longer valid', isValid],
  ['not released yet', isReleased(now)],
]

const termChecks = (now: Value<Date>): Check<HiddenReason>[] => {
  const orPreSale = (check: Condition): Condition => condition`(${isPreSale(now)} or ${check})`
  const without = (flaw: RawBuilder<unknown>) => orPreSale(condition`not ${hasBindingThat(flaw)}`)
  return [
    ['no license and price', orPreSale(hasBindings)],
    ['a license is missing', without(lacksLicense)],
    ['a license is no longer valid', without(hasOldLicense)],
    ['a price is missing', without(lacksPrice)],
    ['a price is no longer valid', without(hasOldPrice)],
  ]
}

const shopChecks = (themeId: Value<number>, now: Value<Date>): Check<HiddenReason>[] => [
  ['not in this theme', isInTheme(themeId)],
  ['outside the time of its groups', isInTimeOfGroups(now)],
  ['its categories are disabled', isInEnabledCategory()],
]

/** Why a product cannot be sold in any shop; null if it can, under a binding that is complete. */
export const notForSaleBecause = (now: Value<Date>): RawBuilder<NotForSaleReason | null> => firstUnmet(saleChecks(now))

/** Why a product does not appear in a shop with this theme; null if it appears. */
export const hiddenBecause = (themeId: Value<number>, now: Value<Date>): RawBuilder<HiddenReason | null> =>
  firstUnmet([...saleChecks(now), ...termChecks(now), ...shopChecks(themeId, now)])

/** Does a product appear in a shop with this theme? It asks less than the reason does: all terms are looked at together. */
export const appearsIn = (themeId: Value<number>, now: Value<Date>): Condition =>
  condition`(${sql.join(
    [
      ...saleChecks(now).map(([, isMet]) => isMet),
      sql`(${isPreSale(now)} or ${hasCompleteTerms})`,
      ...shopChecks(themeId, now).map(([, isMet]) => isMet),
    ],
    sql` and `,
  )})`

/** For each product, why it does not appear in a shop with this theme; null if it appears. */
export async function readHiddenReasons(
  db: Db,
  companyId: number,
  keys: readonly number[],
  themeId: number,
  now: Date,
): Promise<Map<number, HiddenReason | null>> {
  const rows = await productsOf(db, companyId)
    .select(['products.id', hiddenBecause(themeId, now).as('reason')])
    .where('products.id', '=', anyOf(keys))
    .execute()
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}
