import { sql } from 'kysely'
import { removePictures, savePictures } from '#catalog/pictures/commands.ts'
import { lockUploads, readShopIcons } from '#catalog/pictures/queries.ts'
import { isFetchable, pictureFrom } from '#catalog/pictures/rules.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { plainWords } from '#platform/text/rich-text.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { HOST_KINDS, type HostKind, type Hosts } from './domains.rules.ts'
import { hostTaken, sampleLicenseUnknown, sampleProductUnknown } from './errors.ts'
import { homeCategoryUnknown, homeProductUnknown } from './home/errors.ts'
import { newReferences } from './home/rules.ts'
import { presentThemeSetting } from './present.ts'
import {
  hasProduct,
  isSampleLicense,
  knownReferences,
  lockThemeSetting,
  lockThemeSettings,
  THEME_SETTINGS,
} from './queries.ts'
import { changeThemeSetting, newThemeSetting, SHOP_TEXTS } from './rules.ts'
import type { ThemeSettingInput } from './schema.ts'
import type { HomeState, PageLocale, ShopTextName, StoredThemeLocale, ThemeSettingState } from './state.ts'

/** Creates a theme setting. `ownHost` is the host of the service, which no shop can take. */
export async function createThemeSetting(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  input: ThemeSettingInput,
  ownHost: string,
  now: Date,
): Promise<Written<ThemeSettingState>> {
  const { companyId } = caller
  const { takeRowId, takePartId: takeId } = await takeIds(tx, THEME_SETTINGS, 1, (input.locales?.length ?? 0) + 1)
  const setting = newThemeSetting(companyId, takeRowId(), input, { now, takeId, ownHost })
  await checkSample(tx, undefined, setting)
  await checkHome(tx, undefined, setting)
  const row = await columns(setting)
  shopChanged(tx, row.company_id)
  await tx.insertInto('theme_settings').values(row).execute()
  await saveHosts(tx, undefined, setting, now)
  await saveIcon(tx, setting, takeId, now)
  await adjustCounter(tx, companyId, THEME_SETTINGS, 1)
  return { state: setting, document: row.document }
}

/** Changes the fields that the body names. */
export async function updateThemeSetting(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  input: ThemeSettingInput,
  ownHost: string,
  now: Date,
): Promise<Written<ThemeSettingState>> {
  const before = await lockThemeSetting(tx, caller.companyId, ref)
  const { takePartId: takeId } = await takeIds(tx, THEME_SETTINGS, 0, (input.locales?.length ?? 0) + 1)
  const after = changeThemeSetting(before, input, { now, takeId, ownHost })
  await checkSample(tx, before, after)
  await checkHome(tx, before, after)
  await saveHosts(tx, before.hosts, after, now)
  if (after.shop_icon !== before.shop_icon) await saveIcon(tx, after, takeId, now)
  return saveThemeSetting(tx, after)
}

/** Removes a theme setting. Its shop disappears, and its domains become available again. */
export async function deleteThemeSetting(tx: Tx, caller: Caller, ref: string, now: Date): Promise<void> {
  const { company_id, id } = await lockThemeSetting(tx, caller.companyId, ref)
  shopChanged(tx, company_id)
  const icons = await readShopIcons(tx, company_id, id)
  await removePictures(
    tx,
    company_id,
    icons.map((icon) => icon.id),
    now,
  )
  await tx.deleteFrom('theme_settings').where('company_id', '=', company_id).where('id', '=', id).execute()
  await adjustCounter(tx, company_id, THEME_SETTINGS, -1)
}

/** Rewrites the documents of theme settings from their rows. */
export async function refreshThemeSettings(tx: Tx, companyId: number, ids: number[]): Promise<void> {
  for (const setting of await lockThemeSettings(tx, companyId, ids)) await saveThemeSetting(tx, setting)
}

/** An icon from elsewhere is fetched after the answer, as the pictures of products are. */
async function saveIcon(
  tx: Tx,
  { company_id, id, shop_icon }: ThemeSettingState,
  takeId: () => number,
  now: Date,
): Promise<void> {
  const before = await readShopIcons(tx, company_id, id)
  const takeUpload = await lockUploads(tx, company_id, [shop_icon])
  const after = isFetchable(shop_icon) ? [pictureFrom(shop_icon, 0, { takeId, takeUpload })] : []
  await savePictures(tx, company_id, { theme_setting_id: id }, before, after, now)
}

async function saveThemeSetting(tx: Tx, setting: ThemeSettingState): Promise<Written<ThemeSettingState>> {
  const row = await columns(setting)
  shopChanged(tx, setting.company_id)
  await tx
    .updateTable('theme_settings')
    .set(row)
    .where('company_id', '=', setting.company_id)
    .where('id', '=', setting.id)
    .execute()
  return { state: setting, document: row.document }
}

async function columns(setting: ThemeSettingState) {
  const { hosts: _hosts, answering: _answering, locales, home_sections, menu, ...row } = setting
  return {
    ...row,
    locales: JSON.stringify(locales),
    home_sections: home_sections && JSON.stringify(home_sections),
    menu: menu && JSON.stringify(menu),
    page_locales: JSON.stringify(await pageLocalesOf(locales)),
    document: asciiJson(presentThemeSetting(setting)),
  }
}

/** The locales as the pages of the shop show them: the HTML of the owner is turned into text here, once. */
export async function pageLocalesOf(locales: readonly StoredThemeLocale[]): Promise<PageLocale[]> {
  const shown: PageLocale[] = []
  for (const { about, imprint, terms, withdrawal, privacy, ...locale } of locales) {
    const shop_description = await plainWords(locale.shop_description)
    const offline_message = await plainWords(locale.offline_message)
    const written = await writtenIn({ about, imprint, terms, withdrawal, privacy })
    shown.push({ ...locale, shop_description, offline_message, written })
  }
  return shown
}

/** The names of the texts that have words. Editors leave empty tags behind when somebody deletes a text. */
async function writtenIn(texts: Record<ShopTextName, string>): Promise<ShopTextName[]> {
  const written: ShopTextName[] = []
  for (const name of SHOP_TEXTS) if ((await plainWords(texts[name])) !== '') written.push(name)
  return written
}

/** References that the shop had before may no longer exist; sending them back is allowed. */
async function checkSample(tx: Tx, kept: ThemeSettingState | undefined, setting: ThemeSettingState): Promise<void> {
  const { company_id, sample_product_id: productId, sample_product_license_id: licenseId } = setting
  const isSameProduct = productId === (kept?.sample_product_id ?? null)
  if (productId !== null && !isSameProduct && !(await hasProduct(tx, company_id, productId)))
    throw validationFailed('sample_product_id', sampleProductUnknown())
  if (licenseId === null || (isSameProduct && licenseId === kept?.sample_product_license_id)) return
  if (!(await isSampleLicense(tx, company_id, productId, licenseId)))
    throw validationFailed('sample_product_license_id', sampleLicenseUnknown({ hasProduct: productId !== null }))
}

/** Categories and products that were named before may be deleted by now, as those of the sample. */
export async function checkHome(tx: Tx, kept: HomeState | undefined, setting: ThemeSettingState): Promise<void> {
  const { categories, products } = newReferences(kept, setting)
  if (categories.size + products.size === 0) return
  const wanted = { categories: [...categories.values()], products: [...products.values()] }
  const known = await knownReferences(tx, setting.company_id, wanted)
  const report = new FieldReport()
  for (const [field, id] of categories) if (!known.categories.includes(id)) report.add(field, homeCategoryUnknown())
  for (const [field, id] of products) if (!known.products.includes(id)) report.add(field, homeProductUnknown())
  report.throwIfAny()
}

/**
 * Releases the hosts that the shop no longer has and claims new ones. Labels are taken at once: if two shops want the
 * same one, the second waits for the result of the first. Domains wait for their proof, unless the shop has proved them
 * already. Hosts are claimed in one order, so that two shops cannot deadlock.
 */
async function saveHosts(
  tx: Tx,
  before: Hosts | undefined,
  { company_id, id, hosts, answering }: ThemeSettingState,
  now: Date,
): Promise<void> {
  const changed = HOST_KINDS.filter((kind) => hosts[kind] !== (before?.[kind] ?? ''))
  const given = changed.filter((kind) => before !== undefined && before[kind] !== '')
  if (given.length > 0) {
    await sql`delete from theme_setting_hosts
      where company_id = ${company_id} and theme_setting_id = ${id} and kind = any(${given}::text[])`.execute(tx)
  }
  const wanted = changed.filter((kind) => hosts[kind] !== '')
  if (wanted.length === 0) return
  const names = wanted.map((kind) => hosts[kind])
  const { rows } = await sql<{ kind: HostKind }>`
    insert into theme_setting_hosts (company_id, theme_setting_id, kind, host, proved_at, check_at)
    select ${company_id}, ${id}, wanted.kind, wanted.host,
      case when position('.' in wanted.host) = 0 or wanted.host = any(${answering}::text[]) then ${now}::timestamptz end,
      case when position('.' in wanted.host) > 0 then ${now}::timestamptz end
    from unnest(${wanted}::text[], ${names}::text[]) as wanted (kind, host) order by wanted.host
    on conflict do nothing returning kind`.execute(tx)
  const report = new FieldReport()
  for (const kind of wanted) if (!rows.some((row) => row.kind === kind)) report.add(kind, hostTaken())
  report.throwIfAny()
}
