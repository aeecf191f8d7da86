import { SHOPS_CHANNEL } from '#events/shop-changes.ts'
import type { Notices } from '#platform/db/notices.ts'

/** The changes of shops that this process has heard of. */
export type KnownChanges = {
  /** The number of the last change. Whoever makes something of the data of shops asks before reading any. */
  last(): number
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

  return {
    last: () => changes,
    noneSince: (number, companyIds) =>
      companyIds === 'all'
        ? changes <= number
        : lastOfAll <= number && companyIds.every((companyId) => (lastChanges.get(companyId) ?? 0) <= number),
  }
}
