import { type RawBuilder, sql } from 'kysely'
import { appearsIn, type Value } from '#catalog/products/lists/appearance.queries.ts'
import { PHYSICAL } from '#catalog/products/types.facts.ts'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { CardRow, CategoryRow, NamedRow, ProductRow } from './state.ts'

/** The products of one page of a list. */
export const PAGE_SIZE = 30

const CARD_PICTURES_MAX = 8
const PRODUCT_PICTURES_MAX = 60
/** Categories below each other. */
export const DEPTH_MAX = 10

/** The shop that a list is for, and the time. */
export type ListRequest = { companyId: number; themeId: number; now: Date }

/** Pictures that the service has its own copy of; those of other hosts are not shown. */
const picturesOf = (max: number) => sql`(select json_agg(shown) from (
  select picture.company_id, picture.id, picture.file, picture.width, picture.height, picture.position
  from pictures as picture
  where picture.company_id = coalesce(mirror.owner_id, products.company_id)
    and picture.product_key = coalesce(mirror.original_key, products.id) and picture.state = 'stored'
  order by picture.position nulls first, picture.id limit ${sql.lit(max)}) as shown)`

/** The files of a product that everybody may fetch. A mirrored product has those of its original. */
const shownFiles = sql`(select json_agg(json_build_object('company_id', file.company_id, 'id', file.id, 'name', file.name,
    'role', file.role, 'language', file.language, 'content_type', file.content_type, 'duration', file.duration)
    order by file.position, file.id)
  from content_files as file
  where file.company_id = coalesce(mirror.owner_id, products.company_id)
    and file.product_key = coalesce(mirror.original_key, products.id) and file.status = 'ready'
    and file.removed_at is null and (file.role in ('trailer', 'preview')
      or file.role = 'trial' and products.allow_download_trial = 1))`

export const mirrorJoin = sql`left join product_mirrors as mirror
  on mirror.company_id = products.company_id and mirror.product_key = products.id`

const priceOf = (name: 'price' | 'compare') => {
  const price = sql.ref(name)
  return sql`case when ${price}.id is not null then json_build_object('valid', ${price}.valid,
    'countries', ${price}.countries, 'currencies', ${price}.currencies) end`
}

/** The plans of a group, `club`, that are offered. */
export const plansOfClub = sql`(select json_agg(json_build_object('interval', plan.interval,
      'interval_count', plan.interval_count, 'trial_days', plan.trial_days, 'price', ${priceOf('price')}) order by plan.id)
    from plans as plan
    join prices as price on price.company_id = plan.company_id and price.id = plan.price_id
    where plan.company_id = club.company_id and plan.group_id = club.group_id and plan.valid)`

/**
 * The groups whose members may use a product, now or later: it names them, or all groups of their kind. The owner of a mirrored
 * product would get no share, so nobody opens one.
 */
const memberGroups = (now: Value<Date>) => sql`case when mirror.owner_id is null then (
  select json_agg(shown order by shown.id) from (
    select distinct on (club.id) club.id, club.group_id, club.title, club.locales,
      case when named.start_at > ${now}::timestamptz then named.start_at end as opens_at,
      ${plansOfClub} as plans
    from product_groups as named
    join groups as club on club.company_id = products.company_id and club.valid
      and named.group_id in (club.group_id, left(club.group_id, 1) || '-1')
    left join licenses as license on license.id = club.license_id and license.company_id in (0, club.company_id)
    where named.company_id = products.company_id and named.product_key = products.id
      and (named.end_at is null or named.end_at > ${now}::timestamptz)
      and (club.license_id is null or license.valid = 1)
    order by club.id, opens_at nulls first) as shown) end`

/** A mirrored product is sold for the prices of its owner. */
export const cardColumns = (
  now: Value<Date>,
) => sql`products.id, products.product_id, products.product_type, products.title,
  products.runtime, case when products.published_at > ${now}::timestamptz then products.published_at end as released_at,
  products.tagging #>> '{tagging_genre,0,value}' as genre, products.pre_sales, products.has_content,
  (products.tagging #>> '{tagging,year}')::int as year, products.titles as locales, products.tax_class,
  case when products.product_type = ${sql.lit(PHYSICAL)} then (
    select json_agg(json_build_object('language', text ->> 'language', 'version', coalesce(nullif(text ->> 'version', ''), products.version)))
    from json_array_elements(products.locales) as text) end as versions,
  ${picturesOf(CARD_PICTURES_MAX)} as pictures,
  coalesce((select json_agg(json_build_object('valid', price.valid, 'countries', price.countries,
      'currencies', price.currencies, 'tax_handling', coalesce(license.tax_handling, 0),
      'physical', coalesce(license.physical, 0)) order by binding.position)
    from product_bindings as binding
    left join licenses as license on license.id = binding.license_id
      and license.company_id in (0, coalesce(mirror.owner_id, binding.company_id))
    join prices as price on price.id = binding.price_id
      and price.company_id = coalesce(mirror.owner_id, binding.company_id)
    where binding.company_id = products.company_id and binding.product_key = products.id), '[]') as prices`

/**
 * Leaves only what appears in the shop. It is a sub-select of its own, so that PostgreSQL looks at one product after the
 * other until a page is full. Otherwise it would prepare itself for all products: 65 instead of 2 ms with 10,000.
 */
export const whatAppears = (themeId: Value<number>, now: Value<Date>) =>
  sql`cross join lateral (select ${appearsIn(themeId, now)} as is_shown offset 0) as appearance`

export const appears = sql`appearance.is_shown`

export const links = sql`json_build_object('id', category.id, 'title', category.title, 'locales',
  coalesce((select json_agg(json_build_object('language', text ->> 'language', 'title', text ->> 'title'))
    from json_array_elements(category.locales) as text), '[]'))`

const category = prepare((db: Db, companyId: number, id: number) =>
  sql<CategoryRow>`select own.id, own.title, own.locales,
      (with recursive above as (
          select category.parent_id as id, 1 as depth from categories as category
          where category.company_id = ${companyId} and category.id = own.id
          union all
          select category.parent_id, above.depth + 1 from above
          join categories as category on category.company_id = ${companyId} and category.id = above.id
          where above.depth < ${sql.lit(DEPTH_MAX)})
        select json_agg(${links} order by above.depth desc) from above
        join categories as category on category.company_id = ${companyId} and category.id = above.id) as path,
      (select json_agg(${links} order by category.position, category.id) from categories as category
        where category.company_id = ${companyId} and category.parent_id = own.id and category.enabled) as children
    from categories as own where own.company_id = ${companyId} and own.id = ${id} and own.enabled`.compile(db),
)

/** An enabled category with the way to it and what is below it; undefined if there is none. */
export async function findCategory(db: Db, companyId: number, id: number): Promise<CategoryRow | undefined> {
  const [row] = await category(db, companyId, id)
  return row
}

const cardsOf = (max: number) =>
  prepare((db: Db, companyId: number, themeId: number, ids: number[], now: Date) =>
    sql<CardRow>`select ${cardColumns(now)}, '' as place
    from (select candidate.id, candidate.place from unnest(${ids}::bigint[]) with ordinality as candidate (id, place)
      order by candidate.place) as candidate
    join products on products.company_id = ${companyId} and products.id = candidate.id
    ${mirrorJoin} ${whatAppears(themeId, now)}
    where ${appears} order by candidate.place limit ${sql.lit(max)}`.compile(db),
  )

const LISTED_MAX = 100
const foundCards = cardsOf(PAGE_SIZE + 1)
const listedCards = cardsOf(LISTED_MAX)

/** Like readFoundCards, for a list that is one page, however long it is. */
export function readListedCards(
  db: Db,
  { companyId, themeId, ids }: { companyId: number; themeId: number; ids: number[] },
  now: Date,
): Promise<CardRow[]> {
  return listedCards(db, companyId, themeId, ids, now)
}

/** Those of the products that appear in the shop, in the given order: one page and one more. */
export function readFoundCards(
  db: Db,
  { companyId, themeId, ids }: { companyId: number; themeId: number; ids: number[] },
  now: Date,
): Promise<CardRow[]> {
  return foundCards(db, companyId, themeId, ids, now)
}

const productThat = (condition: RawBuilder<unknown>) =>
  prepare((db: Db, companyId: number, themeId: number, id: number, productId: string, now: Date) =>
    sql<ProductRow>`select products.id, products.product_id, products.product_type, products.title, products.version,
      products.runtime, products.updated_at, products.gtin, products.supplier, products.weight, products.items_in_stock,
      products.manage_stock, (select case when owner.inventory_management_active
          then greatest(0, owner.stop_selling_at_stock_level_below) else 0 end
        from companies as owner where owner.id = coalesce(mirror.owner_id, products.company_id)) as stock_floor,
      products.pre_sales, products.has_content, products.tax_class, products.locales, products.tagging, products.chapters,
      case when products.published_at > ${now}::timestamptz then products.published_at end as released_at,
      ${picturesOf(PRODUCT_PICTURES_MAX)} as pictures,
      coalesce((select json_agg(json_build_object('license_id', binding.license_id, 'hd', binding.hd,
          'audio_type', binding.audio_type, 'num_users', binding.num_users, 'price', ${priceOf('price')},
          'compare', ${priceOf('compare')},
          'license', case when license.id is not null then to_jsonb(license) - 'document' end) order by binding.position)
        from product_bindings as binding
        left join licenses as license on license.id = binding.license_id
          and license.company_id in (0, coalesce(mirror.owner_id, binding.company_id))
        left join prices as price on price.id = binding.price_id
          and price.company_id = coalesce(mirror.owner_id, binding.company_id)
        left join prices as compare on compare.id = binding.compare_price_id
          and compare.company_id = coalesce(mirror.owner_id, binding.company_id)
        where binding.company_id = products.company_id and binding.product_key = products.id), '[]') as offers,
      case when json_array_length(products.included) > 0 then (
        select json_agg(json_build_object('id', part.id, 'product_id', part.product_id, 'title', part.title,
          'product_type', part.product_type, 'runtime', part.runtime, 'has_content', part.has_content,
          'locales', part.titles,
          'pictures', (select json_agg(picture order by picture.position nulls first, picture.id)
            from pictures as picture where picture.company_id = part.company_id and picture.product_key = part.id
              and picture.state = 'stored'),
          'files', case when part.published then (select json_agg(json_build_object('company_id', file.company_id,
              'id', file.id, 'name', file.name, 'role', file.role, 'language', file.language,
              'content_type', file.content_type) order by file.position, file.id)
            from content_files as file where file.company_id = part.company_id and file.product_key = part.id
              and file.status = 'ready' and file.removed_at is null and file.role = 'preview') end)
          order by entry.position)
        from json_array_elements(products.included) with ordinality as entry (included, position)
        join products as part on part.company_id = coalesce(mirror.owner_id, products.company_id)
          and part.product_id = entry.included ->> 'product_id') end as parts,
      (with recursive above as (
          (select category.id, category.parent_id, 1 as depth from category_entries as entry
            join categories as category on category.company_id = entry.company_id and category.id = entry.category_id
            where entry.company_id = products.company_id and entry.product_key = products.id and category.enabled
            order by entry.id desc limit 1)
          union all
          select category.id, category.parent_id, above.depth + 1 from above
          join categories as category on category.company_id = ${companyId} and category.id = above.parent_id
          where above.depth < ${sql.lit(DEPTH_MAX)})
        select json_agg(${links} order by above.depth desc) from above
        join categories as category on category.company_id = ${companyId} and category.id = above.id) as path,
      (select json_agg(distinct jsonb_build_object(
          'role', file.role, 'language', file.language, 'content_type', file.content_type))
        from content_files as file
        where file.company_id = coalesce(mirror.owner_id, products.company_id)
          and file.product_key = coalesce(mirror.original_key, products.id) and file.status = 'ready'
          and file.removed_at is null and file.role not in ('trailer', 'preview', 'trial')) as contents,
      ${shownFiles} as files, ${memberGroups(now)} as memberships
    from products ${mirrorJoin} ${whatAppears(themeId, now)}
    where products.company_id = ${companyId} and (products.id = ${id} or products.product_id = ${productId})
      and ${condition}`.compile(db),
  )

const shownProduct = productThat(appears)
const anyProduct = productThat(sql`true`)

type WantedProduct = { companyId: number; themeId: number; id: number; productId: string }

/** A product by its id or its `product_id`, if it appears in the shop; undefined otherwise. */
export async function findProduct(
  db: Db,
  { companyId, themeId, id, productId }: WantedProduct,
  now: Date,
): Promise<ProductRow | undefined> {
  const [row] = await shownProduct(db, companyId, themeId, id, productId, now)
  return row
}

/** Like findProduct, whether it appears in the shop or not: for its owner. */
export async function findAnyProduct(
  db: Db,
  { companyId, themeId, id, productId }: WantedProduct,
  now: Date,
): Promise<ProductRow | undefined> {
  const [row] = await anyProduct(db, companyId, themeId, id, productId, now)
  return row
}

/** An address for search engines. */
export type SitemapRow = {
  id: number
  title: string
  locales: { language: string; title: string }[]
  updated_at: Date
}

const sitemapProducts = prepare((db: Db, companyId: number, themeId: number, now: Date, after: number, max: number) =>
  sql<
    Columns<'products', 'id' | 'title' | 'updated_at'> & Pick<SitemapRow, 'locales'>
  >`select products.id, products.title, products.titles as locales, products.updated_at from products
    ${whatAppears(themeId, now)}
    where products.company_id = ${companyId} and products.id > ${after} and ${appears}
    order by products.id limit ${max}::bigint`.compile(db),
)

/** Products that appear in the shop after an id, in the order of their ids. */
export function readSitemapProducts(
  db: Db,
  { companyId, themeId, after, max }: { companyId: number; themeId: number; after: number; max: number },
  now: Date,
): Promise<SitemapRow[]> {
  return sitemapProducts(db, companyId, themeId, now, after, max)
}

const sitemapCategories = prepare((db: Db, companyId: number, max: number) =>
  sql<
    Columns<'categories', 'id' | 'title' | 'updated_at'> & Pick<SitemapRow, 'locales'>
  >`select category.id, category.title, category.locales, category.updated_at from categories as category
    where category.company_id = ${companyId} and category.enabled order by category.id limit ${max}::bigint`.compile(
    db,
  ),
)

export function readSitemapCategories(db: Db, companyId: number, max: number): Promise<SitemapRow[]> {
  return sitemapCategories(db, companyId, max)
}

const partsById = prepare((db: Db, companyId: number, productIds: string[]) =>
  sql<NamedRow>`select products.id, products.product_id, products.product_type, products.title, products.runtime,
      products.drm_protected, products.titles as locales, ${picturesOf(CARD_PICTURES_MAX)} as pictures
    from products ${mirrorJoin}
    where products.company_id = ${companyId}
      and products.product_id = any((select ${productIds}::text[])::text[])`.compile(db),
)

/** Products by their `product_id`, also those that the shop does not show any more: carts and orders name them. */
export function readNamedProducts(db: Db, companyId: number, productIds: readonly string[]): Promise<NamedRow[]> {
  return partsById(db, companyId, [...productIds])
}
