import { localeOf } from './messages.ts'

const STYLES = {
  /** A day in a heading. */
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit' },
  /** A moment in a sentence. */
  moment: { dateStyle: 'long', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Somebody who reads times: in a language, so many minutes ahead of UTC. */
export type Place = { language: string; utcOffset: number }

const formats = new Map<string, Intl.DateTimeFormat>()

/** Made when it is first needed: a format takes tens of milliseconds, which a start need not wait for. */
function formatOf(language: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const locale = localeOf(language)
  const key = `${locale} ${style}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC' })
  formats.set(key, format)
  return format
}

/** A time as the clocks of a place show it. */
export function localTime({ language, utcOffset }: Place, time: Date, style: keyof typeof STYLES): string {
  // One format per language suffices if the time is moved, and not the zone.
  return formatOf(language, style).format(new Date(time.getTime() + utcOffset * 60_000))
}

/** `UTC+1`: what is known of a place is its offset, not its zone. */
export function zoneName(utcOffset: number): string {
  if (utcOffset === 0) return 'UTC'
  const minutes = Math.abs(utcOffset)
  const part = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
  return `UTC${utcOffset < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${part}`
}

/** A moment in a sentence, with its zone. */
export function momentIn(place: Place, time: Date): string {
  return `${localTime(place, time, 'moment')} ${zoneName(place.utcOffset)}`
}
