import { LRUCache } from 'lru-cache'

const KEYS_MAX = 2000
const KNOWN_MS = 60_000

/** Keys that were opened a moment ago, so that a player that asks every few seconds costs no query and no opening. */
export function createKeyCache() {
  const known = new LRUCache<string, Buffer>({ max: KEYS_MAX, ttl: KNOWN_MS })
  return {
    async take(companyId: number, subject: string, read: () => Promise<Buffer>): Promise<Buffer> {
      const name = `${companyId} ${subject}`
      const before = known.get(name)
      if (before !== undefined) return before
      const key = await read()
      known.set(name, key)
      return key
    },
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>
