import { localeOf } from './messages.ts'

/** A moment in a sentence. */
const STYLE = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const

/** Somebody who reads times: in a language, so many minutes ahead of UTC. */
type Place = { language: string; utcOffset: number }

const formats = new Map<string, Intl.DateTimeFormat>()

/** Made when it is first needed: a format takes tens of milliseconds, which a start need not wait for. */
function formatOf(language: string): Intl.DateTimeFormat {
  const locale = localeOf(language)
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, STYLE)
  formats.set(locale, format)
  return format
}

/** `UTC+1`: what is known of a place is its offset, not its zone. */
function zoneName(utcOffset: number): string {
  if (utcOffset === 0) return 'UTC'
  const minutes = Math.abs(utcOffset)
  const part = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
  return `UTC${utcOffset < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${part}`
}

/** A moment in a sentence, as the clocks of a place show it, with its zone. */
export function momentIn({ language, utcOffset }: Place, time: Date): string {
  // One format per language suffices if the time is moved, and not the zone.
  const moved = new Date(time.getTime() + utcOffset * 60_000)
  return `${formatOf(language).format(moved)} ${zoneName(utcOffset)}`
}
