import type { Tx } from '#platform/db/database.ts'
import { announce } from '#platform/db/notices/announcements.ts'
import type { Notices } from '#platform/db/notices/notices.ts'

/** Tells of companies whose shops show something else than before. */
export const SHOPS_CHANNEL = 'shop_changes'

/**
 * Says that the pages of a company's shops have changed. Processes keep pages for visitors, and drop those of the company. A
 * change that nobody tells of, such as the release of a product, shows after a minute.
 */
export function shopChanged(tx: Tx, companyId: number): void {
  announce(tx, SHOPS_CHANNEL, String(companyId))
}

/** The changes of shops that this process has heard of. */
export type KnownChanges = {
  /** The number of the last change. Whoever makes something of the data of shops asks before reading any. */
  last(): number
  /** The number of the last change of a company. */
  lastOf(companyId: number): number
  /** Has none of these companies changed what shops show, as far as is known, since the change with this number? */
  noneSince(number: number, companyIds: readonly number[] | 'all'): boolean
}

const COMPANIES_MAX = 100_000

/** Gives every change a number, and remembers the last one of each company. */
export function createKnownChanges(notices: Pick<Notices, 'onAtOnce'>): KnownChanges {
  const lastChanges = new Map<number, number>()
  let lastOfAll = 0
  let changes = 0

  notices.onAtOnce(SHOPS_CHANNEL, (subject) => {
    changes += 1
    if (subject === '' || lastChanges.size >= COMPANIES_MAX) {
      lastOfAll = changes
      lastChanges.clear()
    } else lastChanges.set(Number(subject), changes)
  })

  const lastOf = (companyId: number) => lastChanges.get(companyId) ?? lastOfAll
  return {
    last: () => changes,
    lastOf,
    noneSince: (number, companyIds) =>
      companyIds === 'all' ? changes <= number : companyIds.every((companyId) => lastOf(companyId) <= number),
  }
}
