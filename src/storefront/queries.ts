import type { Db } from '#platform/db/database.ts'
import { richText } from '#platform/rich-text.ts'
import { findShopByHost } from '#theme-settings/queries.ts'
import type { Shop } from '#theme-settings/state.ts'

/**
 * Finds the shop of a host in one statement, with the HTML of its owner reduced to text; undefined if there is none to
 * show.
 */
export async function findStorefront(db: Db, host: string, ownHost: string): Promise<Shop | undefined> {
  const shop = await findShopByHost(db, host, ownHost)
  if (shop === undefined) return undefined
  const locales = await Promise.all(
    shop.locales.map(async (locale) => ({
      ...locale,
      shop_description: await wordsOf(locale.shop_description),
      offline_message: await wordsOf(locale.offline_message),
    })),
  )
  return { ...shop, locales }
}

/** In a text without tags, line ends are meant as line breaks. */
async function wordsOf(written: string): Promise<string> {
  const html = /<[!/?a-z]/i.test(written) ? written : written.replace(/\r\n?|\n/g, '<br>')
  return written.trim() === '' ? '' : (await richText(html)).text
}
