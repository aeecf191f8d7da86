import { localeIn } from '#platform/text/messages.ts'

/** Money, durations and numbers as the readers of a language write them. */
export type Formats = {
  money(cents: number, currency: string): string
  duration(seconds: number): string
  number(value: number): string
  /** How large a file is, in the unit that suits it. */
  bytes(count: number): string
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Making a format takes much longer than using it. Languages come from shops, so there are few. */
const known = new Map<string, Formats>()
const KNOWN_MAX = 200

/** Durations are parts of lists with commas, so they have none: "1 hr 47 min", which Intl.DurationFormat cannot write. */
const UNITS = ['hour', 'minute', 'second'] as const
type Unit = (typeof UNITS)[number]

const STYLES = ['short', 'medium', 'long', 'minute'] as const
type DateStyle = (typeof STYLES)[number]

/** With the time of day, whose zone is named because that of the reader is not known. */
const MINUTE: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
}

/** The texts in Portuguese are those of Portugal, and Intl takes the language alone for that of Brazil. */
const LOCALES: Readonly<Record<string, string>> = { pt: 'pt-PT' }

/** The formats of a language; one that has none gets those of English. */
export function formatsOf(language: string): Formats {
  const before = known.get(language)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const formats = createFormats(isLocale(language) ? (LOCALES[language] ?? language) : 'en')
  known.set(language, formats)
  return formats
}

/** Who reads a date: the language says how the months are called, and the country what comes first. */
export type Place = { language: string; country: string }

const knownDates = new Map<string, Intl.DateTimeFormat>()

function dateFormat({ language, country }: Place, style: DateStyle): Intl.DateTimeFormat {
  const key = `${language} ${country} ${style}`
  const before = knownDates.get(key)
  if (before !== undefined) return before
  if (knownDates.size >= KNOWN_MAX) knownDates.clear()
  const options = style === 'minute' ? MINUTE : { dateStyle: style }
  const locale = localeIn(isLocale(language) ? language : 'en', country)
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  knownDates.set(key, format)
  return format
}

/** The style is `short`, `medium`, `long`, which is the default, or `minute`. Something that is no time gives an empty text. */
export function dateIn(place: Place, time: unknown, style: unknown = 'long'): string {
  const date = time instanceof Date ? time : new Date(typeof time === 'number' ? time : String(time))
  const format = dateFormat(place, STYLES.find((known) => known === style) ?? 'long')
  return Number.isNaN(date.getTime()) ? '' : format.format(date)
}

function isLocale(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}

/** Writing a duration takes a hundred times as long as finding it here, and a page has many. */
const DURATIONS_MAX = 5000

function createFormats(locale: string): Formats {
  const numbers = new Intl.NumberFormat(locale)
  const units = new Map(
    UNITS.map((unit) => [unit, new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })]),
  )
  const inUnits = (amounts: Partial<Record<Unit, number>>) =>
    UNITS.flatMap((unit) => (amounts[unit] ? units.get(unit)?.format(amounts[unit]) : undefined) ?? []).join(' ')
  const written = new Map<number, string>()
  const money = new Map<string, Intl.NumberFormat>()
  const moneyIn = (currency: string) => {
    const format = money.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
    money.set(currency, format)
    return format
  }
  return {
    money: (cents, currency) =>
      /^[A-Z]{3}$/.test(currency) ? moneyIn(currency).format(cents / 100) : numbers.format(cents / 100),
    duration(seconds) {
      if (!(seconds > 0)) return ''
      const known = written.get(seconds)
      if (known !== undefined) return known
      if (written.size >= DURATIONS_MAX) written.clear()
      const minutes = Math.round(seconds / 60)
      const text = inUnits(
        seconds < 60 ? { second: Math.round(seconds) } : { hour: Math.floor(minutes / 60), minute: minutes % 60 },
      )
      written.set(seconds, text)
      return text
    },
    number: (value) => numbers.format(value),
    bytes(count) {
      if (!(count >= 0)) return ''
      const step = Math.min(SIZES.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
      const value = count / 1000 ** step
      const options = { style: 'unit', unit: SIZES[step] ?? 'byte', unitDisplay: 'short' } as const
      return new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)
    },
  }
}
