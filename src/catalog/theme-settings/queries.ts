import { sql } from 'kysely'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, type Columns, type Filled } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { type HostKind, type Hosts, hostKey } from './domains.rules.ts'
import { themeSettingNotFound } from './errors.ts'
import type { PageLocale, Shop, ShopTextName, StoredThemeLocale, ThemeSettingState } from './state.ts'

export const THEME_SETTINGS = 'theme_settings'

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

/** Every read of theme settings starts here, so none can forget the company. */
function themeSettingsOf(db: Db, companyId: number) {
  return db.selectFrom('theme_settings').where('theme_settings.company_id', '=', companyId)
}

/** All theme settings that have a document; those that a migration has just created have none yet. */
function presentedOf(db: Db, companyId: number) {
  return themeSettingsOf(db, companyId)
    .where('theme_settings.document', 'is not', null)
    .select([
      'theme_settings.id',
      sql<Filled<'theme_settings', 'document'>['document']>`theme_settings.document`.as('document'),
    ])
}

const documentById = prepare((db: Db, companyId: number, id: number) =>
  presentedOf(db, companyId).where('theme_settings.id', '=', id).compile(),
)

/** The document of a theme setting; another company's is not found. */
export async function getThemeSettingDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!isId(ref)) throw themeSettingNotFound(ref)
  const [setting] = await documentById(db, companyId, Number(ref))
  if (setting === undefined) throw themeSettingNotFound(ref)
  return setting.document
}

const allOf = prepareList((db: Db, { company }: { company: number }) => presentedOf(db, company))

export function listThemeSettings(db: Db, companyId: number): DocumentList {
  return allOf(db, { company: companyId })
}

/** The stored counter has the number of all theme settings; theme settings after an id are counted in the index. */
export async function countThemeSettings(db: Db, companyId: number, sinceId?: number): Promise<number> {
  if (sinceId === undefined) return readCounter(db, companyId, THEME_SETTINGS)
  const { count } = await themeSettingsOf(db, companyId)
    .where('theme_settings.id', '>', sinceId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A shop with everything that its pages show of it, and of its company. */
const shopColumns = sql`setting.company_id, setting.id, setting.theme_id, setting.homepage_url, setting.facebook_url,
  setting.google_url, setting.twitter_url, setting.youtube_url, setting.shop_icon, setting.accent_color, setting.html_tag, setting.meta_tag,
  setting.newsletter_enabled, setting.allow_reviews, setting.allow_anonymous_reviews, setting.need_approval_of_reviews,
  setting.send_email_on_new_review, setting.sample_product_id, setting.sample_product_license_id,
  setting.player_watermark, setting.shop_offline or not company.shop_active as shop_offline, setting.page_locales as locales,
  company.company_name, company.country_code, company.currency, company.tax_options, setting.frame_origins,
  setting.home_sections, setting.menu,
  (select json_build_object('id', icon.id, 'file', icon.file) from pictures as icon
    where icon.company_id = setting.company_id and icon.theme_setting_id = setting.id and icon.state = 'stored'
    limit 1) as icon,
  (select json_object_agg(host.kind, host.host) from theme_setting_hosts as host
    where host.company_id = setting.company_id and host.theme_setting_id = setting.id
      and host.proved_at is not null) as hosts`

const shopByHost = prepare((db: Db, host: string) =>
  sql<Shop>`select found.kind, ${shopColumns}
    from theme_setting_hosts as found
    join theme_settings as setting
      on setting.company_id = found.company_id and setting.id = found.theme_setting_id and setting.enabled
        and setting.page_locales is not null
    join companies as company on company.id = setting.company_id and not company.company_disabled
    where found.host = ${host} and found.proved_at is not null`.compile(db),
)

/**
 * The shop of a host, online or not, with the texts of its pages; undefined if there is none that has proved it, or if it
 * or its company is disabled.
 */
export async function findShopByHost(db: Db, host: string, ownHost: string): Promise<Shop | undefined> {
  const key = hostKey(host, ownHost)
  if (key === undefined) return undefined
  const [shop] = await shopByHost(db, key)
  return shop
}

/** Every shop has a numeric sub-domain, which is its id. */
export async function findShopByPath(db: Db, ref: string): Promise<Shop | undefined> {
  if (!isId(ref)) return undefined
  const [shop] = await shopByHost(db, ref)
  return shop
}

const firstShop = prepare((db: Db, companyId: number) =>
  themeSettingsOf(db, companyId).select('theme_settings.id').orderBy('theme_settings.id').limit(1).compile(),
)

const shopById = prepare((db: Db, companyId: number, id: number) =>
  themeSettingsOf(db, companyId).select('theme_settings.id').where('theme_settings.id', '=', id).compile(),
)

/** The shop of the company with this id, or its first shop if the id is 0; undefined if there is none. */
export async function findShopId(db: Db, companyId: number, id: number): Promise<number | undefined> {
  const [shop] = id === 0 ? await firstShop(db, companyId) : await shopById(db, companyId, id)
  return shop?.id
}

/** The company whose shop this is; undefined if there is no such shop. */
export async function findShopOwner(db: Db, id: number): Promise<number | undefined> {
  const shop = await db.selectFrom('theme_settings').select('company_id').where('id', '=', id).executeTakeFirst()
  return shop?.company_id
}

/** The texts of a shop; an empty list if it was deleted. */
export async function readShopLocales(db: Db, companyId: number, id: number): Promise<StoredThemeLocale[]> {
  const shop = await themeSettingsOf(db, companyId)
    .select('theme_settings.locales')
    .$narrowType<Pick<ThemeSettingState, 'locales'>>()
    .where('theme_settings.id', '=', id)
    .executeTakeFirst()
  return shop?.locales ?? []
}

const firstWritten = prepare((db: Db, companyId: number) =>
  themeSettingsOf(db, companyId)
    .where('theme_settings.enabled', '=', true)
    .select(['theme_settings.id', 'theme_settings.page_locales'])
    .$narrowType<{ page_locales: PageLocale[] | null }>()
    .orderBy('theme_settings.id')
    .limit(1)
    .compile(),
)

/** The first shop of a company, with the texts that it has in any of its languages; undefined if none is enabled. */
export async function findFirstShop(
  db: Db,
  companyId: number,
): Promise<{ id: number; written: ShopTextName[] } | undefined> {
  const [shop] = await firstWritten(db, companyId)
  if (shop === undefined) return undefined
  return { id: shop.id, written: [...new Set((shop.page_locales ?? []).flatMap(({ written }) => written))] }
}

/** What a mail shows of a shop, and where its links lead. */
export type ShopFace = {
  id: number
  locales: StoredThemeLocale[]
  accent_color: string
  /** Its stored picture. */
  icon: { id: number; file: string } | null
  /** The hosts that answer. */
  hosts: Partial<Hosts> | null
}

/** Undefined if the shop was deleted. */
export async function findShopFace(db: Db, companyId: number, id: number): Promise<ShopFace | undefined> {
  const { rows } = await sql<
    Columns<'theme_settings', 'id' | 'accent_color'> & Pick<ShopFace, 'locales' | 'icon' | 'hosts'>
  >`select setting.id, setting.locales, setting.accent_color,
      (select json_build_object('id', icon.id, 'file', icon.file) from pictures as icon
        where icon.company_id = setting.company_id and icon.theme_setting_id = setting.id and icon.state = 'stored'
        limit 1) as icon,
      (select json_object_agg(host.kind, host.host) from theme_setting_hosts as host
        where host.company_id = setting.company_id and host.theme_setting_id = setting.id
          and host.proved_at is not null) as hosts
    from theme_settings as setting where setting.company_id = ${companyId} and setting.id = ${id}`.execute(db)
  return rows[0]
}

/** All of a theme setting, as it is now. */
export async function getThemeSetting(db: Db, companyId: number, ref: string): Promise<ThemeSettingState> {
  const [setting] = isId(ref) ? await readThemeSettings(db, companyId, [Number(ref)]) : []
  if (setting === undefined) throw themeSettingNotFound(ref)
  return setting
}

/** Locks the theme setting until the transaction ends and reads all of it: do this before deciding on a change. */
export async function lockThemeSetting(tx: Tx, companyId: number, ref: string): Promise<ThemeSettingState> {
  const [setting] = isId(ref) ? await lockThemeSettings(tx, companyId, [Number(ref)]) : []
  if (setting === undefined) throw themeSettingNotFound(ref)
  return setting
}

/** lockThemeSetting for many, in the order of their ids; those that were deleted in the meantime are left out. */
export async function lockThemeSettings(tx: Tx, companyId: number, ids: number[]): Promise<ThemeSettingState[]> {
  await themeSettingsOf(tx, companyId)
    .select('theme_settings.id')
    .where('theme_settings.id', '=', anyOf(ids))
    .orderBy('theme_settings.id')
    .forUpdate()
    .execute()
  return readThemeSettings(tx, companyId, ids)
}

export async function readThemeSettings(db: Db, companyId: number, ids: number[]): Promise<ThemeSettingState[]> {
  const any = anyOf(ids)
  const [rows, hosts] = await Promise.all([
    themeSettingsOf(db, companyId)
      .selectAll()
      .$narrowType<Pick<ThemeSettingState, 'locales' | 'home_sections' | 'menu'>>()
      .where('id', '=', any)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('theme_setting_hosts')
      .select(['theme_setting_id', 'kind', 'host', 'proved_at'])
      .$narrowType<{ kind: HostKind }>()
      .where('company_id', '=', companyId)
      .where('theme_setting_id', '=', any)
      .execute(),
  ])
  const hostsOf = Map.groupBy(hosts, ({ theme_setting_id }) => theme_setting_id)
  return rows.map(({ document: _document, page_locales: _texts, ...setting }) => ({
    ...setting,
    hosts: byKind(hostsOf.get(setting.id) ?? []),
    answering: (hostsOf.get(setting.id) ?? []).flatMap(({ host, proved_at }) => (proved_at === null ? [] : [host])),
  }))
}

function byKind(rows: { kind: HostKind; host: string }[]): Hosts {
  const none = { sub_domain: '', vanity_domain: '', shop_domain: '', access_domain: '' }
  return { ...none, ...Object.fromEntries(rows.map(({ kind, host }) => [kind, host])) }
}

export async function readThemeSettingIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await themeSettingsOf(db, companyId)
    .select('theme_settings.id')
    .where('theme_settings.id', '>', after)
    .orderBy('theme_settings.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The theme settings that a migration created for existing companies, or whose page texts it could not make. */
export function readUnpresentedSettings(db: Db): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('theme_settings')
    .select(['company_id', 'id'])
    .where((where) => where.or([where('document', 'is', null), where('page_locales', 'is', null)]))
    .orderBy('company_id')
    .orderBy('id')
    .execute()
}

/**
 * May the license be used for a sample? It has to be one that the product is sold under, or without a product any that
 * the company sees. This reads the tables, because licenses and products come after theme settings in the order of
 * folders.
 */
export async function isSampleLicense(
  db: Db,
  companyId: number,
  productId: number | null,
  id: number,
): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select case when ${productId}::bigint is null
    then exists (select from licenses where company_id in (0, ${companyId}) and id = ${id})
    else exists (select from product_bindings
      where company_id = ${companyId} and product_key = ${productId} and license_id = ${id}) end as there`.execute(db)
  return rows[0]?.there === true
}

/** Those of the categories and products that the company has. This reads the tables, because both come after theme settings. */
export async function knownReferences(
  db: Db,
  companyId: number,
  { categories, products }: { categories: number[]; products: number[] },
): Promise<{ categories: number[]; products: number[] }> {
  const [ofCategories, ofProducts] = await Promise.all([
    sql<Columns<'categories', 'id'>>`select id from categories
      where company_id = ${companyId} and id = any(${categories}::bigint[])`.execute(db),
    sql<Columns<'products', 'id'>>`select id from products
      where company_id = ${companyId} and id = any(${products}::bigint[])`.execute(db),
  ])
  return { categories: ofCategories.rows.map(({ id }) => id), products: ofProducts.rows.map(({ id }) => id) }
}

/** Does the company have this product? This reads the table, because products come after theme settings. */
export async function hasProduct(db: Db, companyId: number, id: number): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select exists (
    select from products where company_id = ${companyId} and id = ${id}) as there`.execute(db)
  return rows[0]?.there === true
}
