import { announce } from '#platform/db/announcements.ts'
import type { Tx } from '#platform/db/database.ts'

/** Tells of companies whose shops show something else than before. */
export const SHOPS_CHANNEL = 'shop_changes'

/**
 * Says that the pages of a company's shops have changed. Processes keep pages for visitors, and drop those of the company. A
 * change that nobody tells of, such as the release of a product, shows after a minute.
 */
export function shopChanged(tx: Tx, companyId: number): void {
  announce(tx, SHOPS_CHANNEL, String(companyId))
}
