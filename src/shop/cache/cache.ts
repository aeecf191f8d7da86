import { LRUCache } from 'lru-cache'
import type { KnownChanges } from '#history/events/shop-changes.cache.ts'

/** What is shown is made of the data of these companies, as it was after the change with the number `since`. */
export type Source = { companyIds: readonly number[] | 'all'; since: number }

/**
 * `isForOthers`: false if it is about one visitor, or must not be shown again for another reason. `isCurrent`: a value may get
 * old in a way that no change of a company tells of. `companyIds`: those of the source, if only the maker knows which they are.
 * `at`: when it was made, if it was made of something that is kept, too.
 */
export type Made<Value> = {
  value: Value
  size: number
  isForOthers: boolean
  isCurrent?: () => boolean
  companyIds?: readonly number[]
  at?: number
}

/** Pages, or parts of them, that this process has made for one visitor and shows to the next. */
export type SharedCache<Value> = {
  find(key: string): { value: Value; ageSeconds: number } | undefined
  /**
   * What is kept, or else what `make` makes. Those who ask while it is made wait for it, unless a company has changed since
   * it began: it may show the state before. A failure reaches everybody who waits, and is not kept.
   */
  share(key: string, source: Source, make: () => Promise<Made<Value>>): Promise<Value>
}

type Entry<Value> = Source & Omit<Made<Value>, 'isForOthers' | 'companyIds' | 'at'> & { at: number }
type Making<Value> = { since: number; made: Promise<Made<Value>> }

export type SharedCacheOptions = { bytesMax?: number; maxAgeMs?: number }

/** Some hundred pages of a shop. */
const BYTES_MAX = 20_000_000
/** As long as browsers may keep a page. A release or an exchange rate shows after this time. */
const MAX_AGE_MS = 60_000
const KEY_MAX = 1000

export function createSharedCache<Value>(
  changes: KnownChanges,
  { bytesMax = BYTES_MAX, maxAgeMs = MAX_AGE_MS }: SharedCacheOptions = {},
): SharedCache<Value> {
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: bytesMax,
    // A template may render nothing, and the cache takes nothing without a size.
    sizeCalculation: ({ size }, key) => size + key.length,
  })
  const makings = new Map<string, Making<Value>>()

  const isGood = ({ companyIds, since, at, isCurrent }: Entry<Value>) =>
    performance.now() - at < maxAgeMs && changes.noneSince(since, companyIds) && (isCurrent?.() ?? true)

  function findGood(key: string): Entry<Value> | undefined {
    const entry = entries.get(key)
    if (entry === undefined || isGood(entry)) return entry
    entries.delete(key)
    return undefined
  }

  async function makeFor(key: string, source: Source, make: () => Promise<Made<Value>>): Promise<Value> {
    const making = { since: source.since, made: make() }
    makings.set(key, making)
    try {
      const { isForOthers, ...made } = await making.made
      const entry = { at: performance.now(), ...source, ...made }
      if (isForOthers && isGood(entry)) entries.set(key, entry)
      return made.value
    } finally {
      if (makings.get(key) === making) makings.delete(key)
    }
  }

  return {
    find(key) {
      const entry = findGood(key)
      return entry && { value: entry.value, ageSeconds: Math.floor((performance.now() - entry.at) / 1000) }
    },
    async share(key, source, make) {
      if (key.length > KEY_MAX) return (await make()).value
      const kept = findGood(key)
      if (kept !== undefined) return kept.value
      const making = makings.get(key)
      if (making === undefined || !changes.noneSince(making.since, source.companyIds)) return makeFor(key, source, make)
      const { value, isForOthers } = await making.made
      return isForOthers ? value : (await make()).value
    },
  }
}
