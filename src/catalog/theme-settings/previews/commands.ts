import { sql } from 'kysely'
import { lockUploads } from '#catalog/pictures/queries.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { checkHome, pageLocalesOf } from '../commands.ts'
import { getThemeSetting } from '../queries.ts'
import { changeThemeSetting } from '../rules.ts'
import type { ThemeSettingInput } from '../schema.ts'
import type { Shop, ThemeSettingState } from '../state.ts'
import type { PreviewedShop } from './state.ts'

const LIFETIME_MS = 60 * 60 * 1000
/** Whoever edits a shop makes one after the other, and looks at the last. */
const KEPT_MAX = 10

/** Keeps a shop with changes for an hour, without saving them. The changes are checked as if they were saved. */
export async function createThemePreview(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  input: ThemeSettingInput,
  ownHost: string,
  now: Date,
): Promise<{ id: number; token: string; expires_at: Date }> {
  const before = await getThemeSetting(tx, caller.companyId, ref)
  // Locales that are new have ids of their own only after they are saved.
  let lastId = 0
  const setting = changeThemeSetting(before, input, { now, takeId: () => --lastId, ownHost })
  await checkHome(tx, before, setting)
  const { company_id, id, locales } = setting
  const icon = setting.shop_icon === before.shop_icon ? {} : { icon: await iconOf(tx, setting) }
  const token = randomToken()
  const expires_at = new Date(now.getTime() + LIFETIME_MS)
  await sql`delete from theme_previews where token_hash in (
    select token_hash from theme_previews where company_id = ${company_id} and theme_setting_id = ${id}
    order by expires_at desc offset ${sql.lit(KEPT_MAX - 1)})`.execute(tx)
  await tx
    .insertInto('theme_previews')
    .values({
      token_hash: tokenHash(token),
      company_id,
      theme_setting_id: id,
      shop: JSON.stringify({ ...(await previewedShop(setting)), ...icon }),
      locales: JSON.stringify(locales),
      expires_at,
    })
    .execute()
  return { id, token, expires_at }
}

/** A logo that was uploaded is there at once; one from elsewhere is fetched when it is saved. */
async function iconOf(tx: Tx, { company_id, shop_icon }: ThemeSettingState): Promise<Shop['icon']> {
  const takeUpload = await lockUploads(tx, company_id, [shop_icon])
  const { id, file } = takeUpload(shop_icon) ?? {}
  return id === undefined || typeof file !== 'string' ? null : { id, file }
}

/** The preview shows the shop even if it is closed. */
async function previewedShop(setting: ThemeSettingState): Promise<PreviewedShop> {
  return {
    theme_id: setting.theme_id,
    shop_offline: false,
    homepage_url: setting.homepage_url,
    facebook_url: setting.facebook_url,
    google_url: setting.google_url,
    twitter_url: setting.twitter_url,
    youtube_url: setting.youtube_url,
    shop_icon: setting.shop_icon,
    accent_color: setting.accent_color,
    html_tag: setting.html_tag,
    meta_tag: setting.meta_tag,
    newsletter_enabled: setting.newsletter_enabled,
    allow_reviews: setting.allow_reviews,
    allow_anonymous_reviews: setting.allow_anonymous_reviews,
    need_approval_of_reviews: setting.need_approval_of_reviews,
    send_email_on_new_review: setting.send_email_on_new_review,
    sample_product_id: setting.sample_product_id,
    sample_product_license_id: setting.sample_product_license_id,
    player_watermark: setting.player_watermark,
    home_sections: setting.home_sections,
    menu: setting.menu,
    locales: await pageLocalesOf(setting.locales),
  }
}

/** Deletes a batch of the previews that have expired, and says how many there were. */
export function deleteOldPreviews(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'theme_previews', 'expires_at', sql`expires_at <= ${now}`)
}
