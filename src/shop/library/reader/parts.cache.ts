import { LRUCache } from 'lru-cache'
import type { MachineClock } from '#platform/clock.ts'
import { bookPartOnly, bookReadTooFast } from './errors.ts'

/** So much of a protected document is sent at once. */
export const PART_BYTES_MAX = 1_048_576
/** So much may be fetched at once for a beginning and for pages with large pictures, and then so much in a second. */
const BYTES_AT_ONCE = 16 * PART_BYTES_MAX
const BYTES_PER_SECOND = PART_BYTES_MAX / 2
const BOOKS_MAX = 5000

type Headers = { range?: string | undefined; 'if-range'?: string | string[] | undefined }

/** Sees that a protected document is read part by part, and about as fast as somebody turns its pages. */
export function createPartsGuard(clock: MachineClock) {
  const fetched = new LRUCache<string, { bytes: number; at: number }>({ max: BOOKS_MAX })

  return function assertPart(token: string, headers: Headers, size: number): void {
    const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(headers.range ?? '') ?? []
    const bytes = Math.min(Number(last), size - 1) - Number(first) + 1
    // What makes no sense, and a condition that is not met, would be answered with the whole.
    const isPart = last !== '' && Number(first) <= Number(last)
    if (!isPart || bytes > PART_BYTES_MAX || headers['if-range'] !== undefined) throw bookPartOnly()
    const now = clock.now().getTime()
    const before = fetched.get(token) ?? { bytes: 0, at: now }
    const still = Math.max(0, before.bytes - (Math.max(0, now - before.at) / 1000) * BYTES_PER_SECOND)
    const after = still + Math.max(0, bytes)
    if (after > BYTES_AT_ONCE) throw bookReadTooFast(Math.ceil((after - BYTES_AT_ONCE) / BYTES_PER_SECOND))
    fetched.set(token, { bytes: after, at: now })
  }
}
