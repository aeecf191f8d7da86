const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Up to here people count in hours, and from here on in days of the calendar. */
const HOURS_MAX = 48

export type TimeLeft = { unit: 'hours' | 'minutes'; count: number }

/** How long something can still be used; undefined if it does not end soon. A rental of 24 hours starts with 24 hours. */
export function timeLeft(end: Date | null, now: Date): TimeLeft | undefined {
  if (end === null || end <= now) return undefined
  const left = end.getTime() - now.getTime()
  const hours = Math.floor((left + MINUTE_MS) / HOUR_MS)
  if (hours > HOURS_MAX) return undefined
  return hours >= 1 ? { unit: 'hours', count: hours } : { unit: 'minutes', count: Math.ceil(left / MINUTE_MS) }
}

/** Which part of the library is asked for, as an address says it. */
export type LibraryRequest = { kind: string; words: string; after: string }

const WORDS_MAX = 8

/** The words of a search in titles. */
export function wordsIn(text: string): string[] {
  return text
    .normalize('NFC')
    .replaceAll('\0', '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
}

/** The id after which a page begins; undefined at the start. */
export function placeIn(after: string): number | undefined {
  return /^\d{1,15}$/.test(after) ? Number(after) : undefined
}
