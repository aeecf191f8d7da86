import type { Db } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { ThemePreview } from './state.ts'

/** The preview of a shop with this token; undefined if there is none, or if it has expired. */
export async function findThemePreview(
  db: Db,
  companyId: number,
  settingId: number,
  token: string,
  now: Date,
): Promise<ThemePreview | undefined> {
  return db
    .selectFrom('theme_previews')
    .where('theme_previews.company_id', '=', companyId)
    .select(['theme_previews.shop', 'theme_previews.locales'])
    .$narrowType<ThemePreview>()
    .where('theme_previews.theme_setting_id', '=', settingId)
    .where('theme_previews.token_hash', '=', tokenHash(token))
    .where('theme_previews.expires_at', '>', now)
    .executeTakeFirst()
}
