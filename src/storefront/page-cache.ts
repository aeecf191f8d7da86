import { SHOPS_CHANNEL } from '#events/shop-changes.ts'
import type { Notices } from '#platform/db/notices.ts'

/** The part of a request that decides what a visitor without a cookie is shown. */
export type PageRequest = { method: string; host: string; url: string; cookie: string; acceptLanguage: string }

/** The pages of shops that this process has rendered for visitors without a cookie. */
export type PageCache<Page> = {
  /** What is known when a page begins to be made. A page that is made of older data is not kept. */
  now(): number
  find(request: PageRequest): { page: Page; ageSeconds: number } | undefined
  keep(request: PageRequest, page: Page, made: { companyIds: readonly number[]; since: number; size: number }): void
}

type Entry<Page> = { page: Page; companyIds: readonly number[]; since: number; at: number; size: number }

export type PageCacheOptions = { bytesMax?: number; maxAgeMs?: number }

/** Some hundred pages of a shop. */
const BYTES_MAX = 20_000_000
/** As long as browsers may keep a page. A release or an exchange rate shows after this time. */
const MAX_AGE_MS = 60_000
const KEY_MAX = 1000
const COMPANIES_MAX = 100_000

/**
 * Makes the memory of pages. Every change has a number, and a page is good while the companies whose products it may show have
 * had no change since it began to be made: one that was made meanwhile may show either state.
 */
export function createPageCache<Page>(
  notices: Pick<Notices, 'onAtOnce'>,
  { bytesMax = BYTES_MAX, maxAgeMs = MAX_AGE_MS }: PageCacheOptions = {},
): PageCache<Page> {
  const entries = new Map<string, Entry<Page>>()
  const lastChanges = new Map<number, number>()
  let lastOfAll = 0
  let changes = 0
  let size = 0

  notices.onAtOnce(SHOPS_CHANNEL, (subject) => {
    changes += 1
    if (subject === '' || lastChanges.size >= COMPANIES_MAX) {
      lastOfAll = changes
      lastChanges.clear()
    } else lastChanges.set(Number(subject), changes)
  })

  function add(key: string, entry: Entry<Page>): void {
    entries.set(key, entry)
    size += entry.size
  }

  function drop(key: string, entry: Entry<Page>): void {
    entries.delete(key)
    size -= entry.size
  }

  const isGood = ({ companyIds, since, at }: Entry<Page>) =>
    performance.now() - at < maxAgeMs &&
    lastOfAll <= since &&
    companyIds.every((companyId) => (lastChanges.get(companyId) ?? 0) <= since)

  return {
    now: () => changes,
    find(request) {
      const key = keyOf(request)
      const entry = key === undefined ? undefined : entries.get(key)
      if (key === undefined || entry === undefined) return undefined
      drop(key, entry)
      if (!isGood(entry)) return undefined
      // The page that was asked for last is the last one to be dropped.
      add(key, entry)
      return { page: entry.page, ageSeconds: Math.floor((performance.now() - entry.at) / 1000) }
    },
    keep(request, page, made) {
      const key = keyOf(request)
      const entry = { page, ...made, at: performance.now() }
      if (key === undefined || !isGood(entry)) return
      const before = entries.get(key)
      if (before !== undefined) drop(key, before)
      add(key, entry)
      for (const [oldest, old] of entries) {
        if (size <= bytesMax) break
        drop(oldest, old)
      }
    },
  }
}

/** Undefined: a page for this request is not kept. */
function keyOf({ method, host, url, cookie, acceptLanguage }: PageRequest): string | undefined {
  if (method !== 'GET' || cookie !== '') return undefined
  const key = `${host} ${url} ${acceptLanguage}`
  return key.length > KEY_MAX ? undefined : key
}
