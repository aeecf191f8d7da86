import { readShopLocales } from '#catalog/theme-settings/queries.ts'
import { isShopText } from '#catalog/theme-settings/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { cleanHtml, type SafeHtml } from '#platform/text/safe-html.ts'
import { inOrder } from './rules.ts'
import type { ShopVisit } from './state.ts'

/**
 * A text of the shop that has a page of its own, in the visitor's language or in another that the owner wrote it in;
 * undefined if there is none.
 */
export async function findShopPage(
  db: Db,
  { shop, languages, draft }: Pick<ShopVisit, 'shop' | 'languages' | 'draft'>,
  name: string,
): Promise<{ language: string; html: SafeHtml } | undefined> {
  if (!isShopText(name)) return undefined
  const chosen = inOrder(shop.locales, languages).find(({ written }) => written.includes(name))
  if (chosen === undefined) return undefined
  const locales = draft?.locales ?? (await readShopLocales(db, shop.company_id, shop.id))
  const html = await cleanHtml(locales.find(({ id }) => id === chosen.id)?.[name] ?? '')
  return html && { language: chosen.language, html }
}
