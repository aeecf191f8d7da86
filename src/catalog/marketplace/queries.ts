import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  hasCompleteTerms,
  isInEnabledCategory,
  isInTheme,
  isOffered,
  type Value,
} from '#catalog/products/lists/appearance.queries.ts'
import { productsOf, readProducts } from '#catalog/products/queries.ts'
import type { ProductState } from '#catalog/products/state.ts'
import { HOST_KINDS } from '#catalog/theme-settings/domains.rules.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, type Columns, condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { entryNotFound, nothingOffered, offerNotFound } from './errors.ts'
import type { EntryRow, EntryShop, Offer } from './state.ts'

/**
 * Is a product of the owner part of an offer? Products in groups are not, because groups consist of the owner's
 * customers. The release time does not matter, because mirrors have the same one.
 */
export function isSelected(themeId: Value<number | null>, categoryIds: Value<number[] | null>): RawBuilder<SqlBool> {
  return condition`(${isOffered}
    and not exists (select from product_groups as part
      where part.company_id = products.company_id and part.product_key = products.id)
    and ${isInTheme(themeId)} and ${isInEnabledCategory(categoryIds)})`
}

/** Does a company see an offer? Its own company does, too. */
export const isFor = (companyId: Value<number>): RawBuilder<SqlBool> =>
  condition`(offer.company_ids is null or offer.company_id = ${companyId} or ${companyId} = any(offer.company_ids))`

/** The shop that an entry shows: the chosen one, else the company's first. */
export const shop = sql`lateral (select setting.theme_id, setting.id, setting.shop_icon, setting.locales
  from theme_settings as setting
  where setting.company_id = offer.company_id
  order by setting.id = offer.theme_setting_id desc, setting.id limit 1)`

const productCount = sql<number>`(select count(*) from products where products.company_id = offer.company_id
  and ${isSelected(sql.ref('shop.theme_id'), sql.ref('offer.category_ids'))} and ${hasCompleteTerms})`

/** The fields of the shop that an entry shows; missing kinds of hosts are empty. */
const shown = sql<EntryShop>`case when shop.id is not null then json_build_object('shop_icon', shop.shop_icon,
  'locales', shop.locales, 'hosts', (select json_object_agg(wanted.kind, coalesce(found.host, ''))
    from unnest(string_to_array(${sql.lit(HOST_KINDS.join())}, ',')) as wanted (kind)
    left join theme_setting_hosts as found on found.company_id = offer.company_id
      and found.theme_setting_id = shop.id and found.kind = wanted.kind and found.proved_at is not null)) end`

const entries = prepareList((db: Db, { company }: { company: number }) => {
  const entry = sql<EntryRow>`(select offer.id, company.company_name, company.language, ${shown} as shop,
      ${productCount} as product_count, offer.cost_to_licensees_percent
    from market_offers as offer
    join companies as company on company.id = offer.company_id and not company.company_disabled
    left join ${shop} as shop on true
    where offer.withdrawn_at is null and ${isFor(company)})`
  return db.selectFrom(entry.as('entry')).selectAll()
})

/** The entries that a company may see. */
export function listEntries(db: Db, companyId: number): RowList<EntryRow> {
  return entries(db, { company: companyId })
}

export type Overview = {
  market_id: number
  company_id: number
  company_name: string
  cost_to_licensees_percent: number
  product_count: number
  /** Products of other companies that show one of the owner's. */
  mirrors: number
  /** Originals whose mirrors have not followed yet. */
  waiting: number
}

/** The entries as the operator sees them. */
export async function readOverview(db: Db): Promise<Overview[]> {
  const { rows } = await sql<
    Columns<'market_offers', 'company_id' | 'cost_to_licensees_percent'> &
      Columns<'companies', 'company_name'> &
      Pick<Overview, 'market_id' | 'product_count' | 'mirrors' | 'waiting'>
  >`select offer.id as market_id, offer.company_id, company.company_name,
      offer.cost_to_licensees_percent, ${productCount} as product_count,
      (select count(*) from product_mirrors where owner_id = offer.company_id) as mirrors,
      (select count(*) from original_changes where original_changes.company_id = offer.company_id) as waiting
    from market_offers as offer
    join companies as company on company.id = offer.company_id
    left join ${shop} as shop on true
    where offer.withdrawn_at is null order by offer.id`.execute(db)
  return rows
}

const offers = sql`select offer.company_id, offer.id, offer.theme_setting_id, offer.cost_to_licensees_percent,
    to_json(offer.category_ids) as category_ids, to_json(offer.company_ids) as company_ids, offer.created_at, offer.updated_at, shop.theme_id
  from market_offers as offer
  join companies as company on company.id = offer.company_id and not company.company_disabled
  left join ${shop} as shop on true
  where offer.withdrawn_at is null`

const offerById = prepare((db: Db, companyId: number, id: number) =>
  sql<Offer>`${offers} and ${isFor(companyId)} and offer.id = ${id}`.compile(db),
)

/** The offer behind an entry, of any company. One that is withdrawn, or is not for the company that asks, is not found. */
export async function getOffer(db: Db, companyId: number, ref: string): Promise<Offer> {
  if (!/^\d{1,15}$/.test(ref)) throw entryNotFound(ref)
  const [offer] = await offerById(db, companyId, Number(ref))
  if (offer === undefined) throw entryNotFound(ref)
  return offer
}

/** getOffer with a lock that keeps the offer from being changed or withdrawn until the transaction ends. */
export async function lockOfferForShare(tx: Tx, companyId: number, ref: string): Promise<Offer> {
  const { company_id } = await getOffer(tx, companyId, ref)
  await sql`select from market_offers where company_id = ${company_id} and id = ${Number(ref)} for share`.execute(tx)
  return getOffer(tx, companyId, ref)
}

/** The offer of a company; undefined if it has none. */
export async function findOfferOf(db: Db, companyId: number): Promise<Offer | undefined> {
  const { rows } = await sql<Offer>`${offers} and offer.company_id = ${companyId}`.execute(db)
  return rows[0]
}

/** The offer of a company by its id: another one's, or one that is withdrawn, is not found. */
export async function getOfferOf(db: Db, companyId: number, ref: string): Promise<Offer> {
  const offer = await findOfferOf(db, companyId)
  if (offer === undefined || String(offer.id) !== ref) throw offerNotFound(ref)
  return offer
}

/** findOfferOf with a lock until the transaction ends: do this before deciding on a change. */
export async function lockOfferOf(tx: Tx, companyId: number): Promise<Offer> {
  await sql`select from market_offers where company_id = ${companyId} and withdrawn_at is null for update`.execute(tx)
  const offer = await findOfferOf(tx, companyId)
  if (offer === undefined) throw nothingOffered()
  return offer
}

type GivenOffer = { company: number; theme: number | null; categories: number[] | null }

const offeredProducts = prepareList((db: Db, { company, theme, categories }: GivenOffer) =>
  productsOf(db, company).select('products.id').where(isSelected(theme, categories)).where(hasCompleteTerms),
)

/** The ids of the products of an offer. */
export function listOffered(db: Db, { company_id, theme_id, category_ids }: Offer): RowList<{ id: number }> {
  return offeredProducts(db, { company: company_id, theme: theme_id, categories: category_ids })
}

/** Reads products of an offer by their ids, in their order; products that were deleted in the meantime are left out. */
export async function readOffered(db: Db, { company_id }: Offer, rows: { id: number }[]): Promise<ProductState[]> {
  const ids = rows.map(({ id }) => id)
  const found = new Map((await readProducts(db, company_id, ids)).map((product) => [product.id, product]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/**
 * The keys of all products of an offer, or of one of them, locked against changes until the transaction ends. They are
 * read all at once, because the conditions are evaluated for the whole shop together and keys are small.
 */
export async function lockOfferedForShare(
  tx: Tx,
  { company_id, theme_id, category_ids }: Offer,
  only?: number,
): Promise<number[]> {
  const rows = await productsOf(tx, company_id)
    .select('products.id')
    .$if(only !== undefined, (products) => products.where('products.id', '=', only ?? 0))
    .where(isSelected(theme_id, category_ids))
    .where(hasCompleteTerms)
    .orderBy('products.id')
    .forShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** The products that are part of the offer, whether they are complete or not. */
export async function readSelected(db: Db, offer: Offer, keys: number[]): Promise<Set<number>> {
  const rows = await productsOf(db, offer.company_id)
    .select('products.id')
    .where('products.id', '=', anyOf(keys))
    .where(isSelected(offer.theme_id, offer.category_ids))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
