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
