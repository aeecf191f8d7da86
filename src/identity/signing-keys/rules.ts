import type { PlacedKey, SigningKey } from './state.ts'

/** How long others may keep the published keys. */
export const CACHE_SECONDS = 300

/** A new key is published for this long before it signs, so that everybody who keeps the keys has read it. */
export const PUBLISHED_BEFORE_SECONDS = 2 * CACHE_SECONDS

/** A key is published for at least this long after it has signed for the last time. */
const PUBLISHED_AFTER_DAYS = 90

/** The end of files is noted in steps, so that signing seldom has to write it. */
const END_STEP_DAYS = 7

const DAY_MS = 86_400_000

const addDays = (time: Date, days: number) => new Date(time.getTime() + days * DAY_MS)

/** The keys from the oldest to the newest, with what each does now. The keys must be in the order of `signs_from`. */
export function placeKeys(keys: readonly SigningKey[], now: Date): PlacedKey[] {
  return keys.map((key, index) => {
    const next = keys[index + 1]
    if (key.signs_from > now) return { ...key, state: 'waiting', publishedUntil: null }
    if (next === undefined || next.signs_from > now) return { ...key, state: 'signing', publishedUntil: null }
    return { ...key, state: 'retired', publishedUntil: endOfPublication(key, next.signs_from) }
  })
}

function endOfPublication({ files_end_at, signed_for_good }: SigningKey, retiredAt: Date): Date | null {
  if (signed_for_good) return null
  const least = addDays(retiredAt, PUBLISHED_AFTER_DAYS)
  return files_end_at !== null && files_end_at > least ? files_end_at : least
}

export function isPublished({ publishedUntil }: PlacedKey, now: Date): boolean {
  return publishedUntil === null || publishedUntil > now
}

/** The time to note for a file that is valid until `end`. */
export function roundedEnd(end: Date): Date {
  const step = END_STEP_DAYS * DAY_MS
  return new Date(Math.ceil(end.getTime() / step) * step)
}

/** A key that retired before this time no longer signs anywhere, even where a clock is slow. */
export function retiredForGood(now: Date): Date {
  return addDays(now, -1)
}
