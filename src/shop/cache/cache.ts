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

/** What is kept, by its kind. Whoever keeps something joins this list. */
// biome-ignore lint/suspicious/noEmptyInterface: others join it
export interface CacheValues {}

type Kind = keyof CacheValues

/** Pages, and what they are made of, that this process has made for one visitor and shows to the next. */
export type ShopCache = {
  /** How much is kept now. */
  bytes(): number
  find<K extends Kind>(kind: K, key: string): { value: CacheValues[K]; ageSeconds: number } | undefined
  /**
   * What is kept, or else what `make` makes. Those who ask while it is made wait for it, unless a company has changed since
   * it began: it may show the state before. A failure reaches everybody who waits, and is not kept.
   */
  share<K extends Kind>(
    kind: K,
    key: string,
    source: Source,
    make: () => Promise<Made<CacheValues[K]>>,
  ): Promise<CacheValues[K]>
}

type Entry = Source & Omit<Made<unknown>, 'isForOthers' | 'companyIds' | 'at'> & { at: number }
type Making = { since: number; made: Promise<Made<unknown>> }

export type ShopCacheOptions = { bytesMax?: number; maxAgeMs?: number }

/** Several hundred pages of a shop, with their content and what all of them show. */
const BYTES_MAX = 40_000_000
/** As long as browsers may keep a page. A release or an exchange rate shows after this time. */
const MAX_AGE_MS = 60_000
const KEY_MAX = 1000

export function createShopCache(
  changes: KnownChanges,
  { bytesMax = BYTES_MAX, maxAgeMs = MAX_AGE_MS }: ShopCacheOptions = {},
): ShopCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: bytesMax,
    // A template may render nothing, and the cache takes nothing without a size.
    sizeCalculation: ({ size }, key) => size + key.length,
  })
  const makings = new Map<string, Making>()

  const isGood = ({ companyIds, since, at, isCurrent }: Entry) =>
    performance.now() - at < maxAgeMs && changes.noneSince(since, companyIds) && (isCurrent?.() ?? true)

  function findGood(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry === undefined || isGood(entry)) return entry
    entries.delete(key)
    return undefined
  }

  let isSweepDue = false

  /** What nobody asks for any more must not fill the memory of a service that is idle, so old entries go by themselves. */
  function sweepLater(): void {
    if (isSweepDue) return
    isSweepDue = true
    setTimeout(() => {
      isSweepDue = false
      for (const [key, entry] of entries.entries()) if (!isGood(entry)) entries.delete(key)
      if (entries.size > 0) sweepLater()
    }, maxAgeMs).unref()
  }

  function keep(key: string, entry: Entry): void {
    entries.set(key, entry)
    sweepLater()
  }

  async function makeFor(key: string, source: Source, make: () => Promise<Made<unknown>>): Promise<unknown> {
    const making = { since: source.since, made: make() }
    makings.set(key, making)
    try {
      const { isForOthers, ...made } = await making.made
      const entry = { at: performance.now(), ...source, ...made }
      if (isForOthers && isGood(entry)) keep(key, entry)
      return made.value
    } finally {
      if (makings.get(key) === making) makings.delete(key)
    }
  }

  async function shareAny(key: string, source: Source, make: () => Promise<Made<unknown>>): Promise<unknown> {
    if (key.length > KEY_MAX) return (await make()).value
    const kept = findGood(key)
    if (kept !== undefined) return kept.value
    const making = makings.get(key)
    if (making === undefined || !changes.noneSince(making.since, source.companyIds)) return makeFor(key, source, make)
    const { value, isForOthers } = await making.made
    return isForOthers ? value : (await make()).value
  }

  // The kind is part of every key, so what is found under it is what was made for that kind.
  return {
    bytes: () => entries.calculatedSize,
    find<K extends Kind>(kind: K, key: string) {
      const entry = findGood(`${kind} ${key}`)
      if (entry === undefined) return undefined
      const ageSeconds = Math.floor((performance.now() - entry.at) / 1000)
      return { value: entry.value as CacheValues[K], ageSeconds }
    },
    share<K extends Kind>(kind: K, key: string, source: Source, make: () => Promise<Made<CacheValues[K]>>) {
      return shareAny(`${kind} ${key}`, source, make) as Promise<CacheValues[K]>
    },
  }
}
