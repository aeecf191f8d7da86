import { readerLocale, t } from './words.ts'

/** Making a format takes longer than a row of a list takes, so each is made once. */
const formats = new Map<string, object>()

function made<Format extends object>(kind: string, options: object, make: (locale: string) => Format): Format {
  const locale = readerLocale()
  const key = `${kind} ${locale} ${Object.entries(options).join()}`
  const known = formats.get(key) as Format | undefined
  if (known !== undefined) return known
  const format = make(locale)
  formats.set(key, format)
  return format
}

export const numbers = (options: Intl.NumberFormatOptions) =>
  made('number', options, (locale) => new Intl.NumberFormat(locale, options))

const timeFormat = (options: Intl.DateTimeFormatOptions) =>
  made('time', options, (locale) => new Intl.DateTimeFormat(locale, options))

const nameFormat = (options: Intl.DisplayNamesOptions) =>
  made('name', options, (locale) => new Intl.DisplayNames(locale, options))

/** An amount in cents. Currencies without cents have none. */
export function money(cents: number, currency: string): string {
  const { format, digits } = made('money', { currency }, (locale) => {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 }
  })
  return format.format(digits === 0 ? Math.round(cents / 100) : cents / 100)
}

export function count(value: number): string {
  return numbers({}).format(value)
}

/** The service writes times in GMT, without a zone. */
export function timeOf(wire: string): Date {
  return new Date(`${wire}Z`)
}

const dayOf = (time: Date) => time.toDateString()

const clockOf = (time: Date) => timeFormat({ hour: '2-digit', minute: '2-digit' }).format(time)

/** `14:02`, `Sat 14 Nov`: where the newest of today come first. */
export function clockOrDay(wire: string, now = new Date()): string {
  const time = timeOf(wire)
  return dayOf(time) === dayOf(now) ? clockOf(time) : shortTime(wire, now)
}

/** `Today 14:02`, `Sat 14 Nov`, `14 Nov 2025`: in the reader's time zone, as short as is clear. */
export function shortTime(wire: string, now = new Date()): string {
  const time = timeOf(wire)
  if (dayOf(time) === dayOf(now)) return t('time.today', { clock: clockOf(time) })
  const isThisYear = time.getFullYear() === now.getFullYear()
  const day = { day: 'numeric', month: 'short' } as const
  return timeFormat(isThisYear ? { weekday: 'short', ...day } : { ...day, year: 'numeric' }).format(time)
}

export function longTime(wire: string): string {
  return timeFormat({ dateStyle: 'full', timeStyle: 'short' }).format(timeOf(wire))
}

/** `17 Nov 2026, 18:02`: within a sentence. */
export function dayAndTime(wire: string): string {
  return timeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(timeOf(wire))
}

/** The name of a country in the reader's language. */
export function countryName(code: string): string {
  return code === '' ? '' : (nameFormat({ type: 'region' }).of(code) ?? code)
}

export function languageName(code: string): string {
  return code === '' ? '' : (nameFormat({ type: 'language' }).of(code) ?? code)
}

/** The size of a file, in the unit that fits. */
export function bytes(size: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const place = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, size)) / 3)))
  const unit = units[place] ?? 'byte'
  const format = {
    style: 'unit',
    unit,
    unitDisplay: place === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  } as const
  return numbers(format).format(size / 1000 ** place)
}

/** How long a film or a recording is: `1:34:00`, `3:05`. */
export function playingTime(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.round(seconds) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

export function percent(share: number, digits: { maximumFractionDigits?: number } = {}): string {
  return numbers({ style: 'percent', ...digits }).format(share)
}

/** An amount in cents for the axis of a chart: `€1.2K`. */
export function roundMoney(cents: number, currency: string): string {
  const format = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 } as const
  return numbers({ ...format, minimumFractionDigits: 0 }).format(cents / 100)
}

/** A day of the shop, which is the same day wherever it is read. */
export function dayText(wire: string, parts: Intl.DateTimeFormatOptions): string {
  return timeFormat({ ...parts, timeZone: 'UTC' }).format(timeOf(wire))
}

/** Several words as a part of a sentence: `street, city and country`. */
export function list(words: readonly string[]): string {
  return new Intl.ListFormat(readerLocale(), { type: 'conjunction' }).format(words)
}

/** An amount as somebody types it, in cents: `14,99`, `14.99`, `1 299`. Undefined if it is none. */
export function centsIn(typed: string): number | undefined {
  const text = typed.replace(/[\s€$£]/g, '').replace(',', '.')
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined
  return Math.round(Number(text) * 100)
}
