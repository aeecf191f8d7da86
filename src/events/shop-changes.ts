import { announce } from '#platform/db/announcements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices.ts'

/** Tells of companies whose shops show something else than before. */
export const SHOPS_CHANNEL = 'shop_changes'

/**
 * Says that the pages of a company's shops have changed. Processes keep pages for visitors, and drop those of the company. A
 * change that nobody tells of, such as the release of a product, shows after a minute.
 */
export function shopChanged(tx: Tx, companyId: number): void {
  announce(tx, SHOPS_CHANNEL, String(companyId))
}

/** More than this are forgotten, and count as changed together. */
const COMPANIES_MAX = 100_000

/** Numbers the changes of shops that this process hears of. */
export function watchShops(notices: Pick<Notices, 'onAtOnce'>) {
  const last = new Map<number, number>()
  let lastOfAll = 0
  let changes = 0
  notices.onAtOnce(SHOPS_CHANNEL, (subject) => {
    changes += 1
    if (subject === '' || last.size >= COMPANIES_MAX) {
      lastOfAll = changes
      last.clear()
    } else last.set(Number(subject), changes)
  })
  return {
    /** The number of the latest change of any shop. */
    now: () => changes,
    /** The number of the latest change of a company. */
    changeOf: (companyId: number) => last.get(companyId) ?? lastOfAll,
  }
}
