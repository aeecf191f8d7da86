import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createKnownChanges } from '#history/events/shop-changes.cache.ts'
import type { Notices } from '#platform/db/notices.ts'
import type { Reported } from './queries.ts'

/** An answer as it is sent. */
export type Answer = { body: Buffer; etag: string }

const BYTES_MAX = 20_000_000
const ANSWER_BYTES_MAX = 2_000_000
/** The title of a product that somebody else owns, or that was changed while nobody was listening, shows after this time. */
const MAX_AGE_MS = 60_000

/**
 * The reports that this process has made. A report is found by everything that it is made of: the version of the numbers, which
 * is read with the company, and the latest change of the company's products, whose titles are shown. So a report that was found
 * is never old, and nobody has to drop any. Callers who want the same report while it is made wait for it together.
 */
export function keepReports(notices: Pick<Notices, 'onAtOnce'>) {
  const changes = createKnownChanges(notices)
  const reports = new LRUCache<string, Answer, () => Promise<Buffer>>({
    maxSize: BYTES_MAX,
    maxEntrySize: ANSWER_BYTES_MAX,
    sizeCalculation: ({ body }) => body.length,
    ttl: MAX_AGE_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _old, { context: make }) => {
      const body = await make()
      return { body, etag: `W/"${hash('sha1', body, 'base64url')}"` }
    },
  })
  return async (
    { id, currency, today, utc_offset, version }: Reported,
    asked: readonly unknown[],
    make: () => Promise<Buffer>,
  ): Promise<Answer> => {
    const key = [id, currency, today, utc_offset, version, changes.lastOf(id), ...asked].join()
    return reports.forceFetch(key, { context: make })
  }
}
