import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createKnownChanges } from '#history/events/shop-changes.cache.ts'
import type { Db } from '#platform/db/database.ts'
import type { HeavyReads } from '#platform/db/heavy-reads.ts'
import type { Notices } from '#platform/db/notices/notices.ts'
import { serviceBusy } from '#platform/errors/errors.ts'
import type { Reported } from './queries.ts'

/** An answer as it is sent. */
export type Answer = { body: Buffer; etag: string }

const BYTES_MAX = 20_000_000
const ANSWER_BYTES_MAX = 2_000_000
/** The title of a product that somebody else owns, or that was changed while nobody was listening, shows after this time. */
const MAX_AGE_MS = 60_000

/** A report that is being made, or waits for its turn. */
type Making = { answer: Promise<Answer>; callers: number; giveUp: () => void }

/**
 * The reports that this process has made. A report is found by everything that it is made of: the version of the numbers, which
 * is read with the company, and the latest change of the company's products, whose titles are shown. So a report that was found
 * is never old, and nobody has to drop any. Callers who want the same report while it is made wait for it together. One that
 * nobody waits for any more when its turn comes is not made.
 */
export function keepReports(notices: Pick<Notices, 'onAtOnce'>, heavyReads: HeavyReads) {
  const changes = createKnownChanges(notices)
  const reports = new LRUCache<string, Answer>({
    maxSize: BYTES_MAX,
    maxEntrySize: ANSWER_BYTES_MAX,
    sizeCalculation: ({ body }) => body.length,
    ttl: MAX_AGE_MS,
    // What nobody asks for any more must not fill the memory of a service that is idle.
    ttlAutopurge: true,
  })
  const underWay = new Map<string, Making>()

  function start(key: string, make: (db: Db) => Promise<Buffer>): Making {
    const leaving = new AbortController()
    let isBegun = false
    const forget = () => underWay.get(key) === making && underWay.delete(key)
    const read = heavyReads(async (db) => {
      isBegun = true
      const body = await make(db)
      return { body, etag: `W/"${hash('sha1', body, 'base64url')}"` }
    }, leaving.signal)
    const making: Making = {
      answer: read.finally(forget),
      callers: 0,
      giveUp() {
        if (isBegun) return
        forget()
        leaving.abort()
      },
    }
    making.answer.then(
      (answer) => reports.set(key, answer),
      () => {},
    )
    underWay.set(key, making)
    return making
  }

  return async (
    { id, currency, today, utc_offset, version }: Reported,
    asked: readonly unknown[],
    make: (db: Db) => Promise<Buffer>,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const key = [id, currency, today, utc_offset, version, changes.lastOf(id), ...asked].join()
    return reports.get(key) ?? (await waitFor(underWay.get(key) ?? start(key, make), signal))
  }
}

async function waitFor(making: Making, signal: AbortSignal): Promise<Answer> {
  making.callers += 1
  const leave = () => {
    making.callers -= 1
    if (making.callers === 0) making.giveUp()
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await making.answer
  } catch (error) {
    // Nobody reads the answer to a caller who has gone.
    throw signal.aborted ? serviceBusy() : error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
