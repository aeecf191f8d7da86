import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { RATE_SCALE, type Rate } from '#identity/addresses/vat-rates.facts.ts'
import { localeIn, type Overrides, type Translator, translatorOf } from '#platform/text/messages.ts'

/** The messages for one reader, and the formats of numbers, dates and countries. */
export type Wording = {
  t: Translator
  language: string
  /** `name` may be empty. */
  hello(name: string): string
  money(cents: number, currency: string): string
  date(time: Date): string
  /** The date and the time of day, whose zone is named because that of the reader is not known. */
  minute(time: Date): string
  percent(rate: Rate): string
  number(count: number): string
  /** The name of a country by its code; `otherwise` if the code is unknown. */
  country(code: string, otherwise: string): string
}

/** The country decides on the format of numbers and dates. The owner of the shop may have written texts in place of ours. */
export function wordingFor(asked: string, country: string, ownTexts: Overrides = {}): Wording {
  const t = translatorOf(asked, ownTexts)
  const { language } = t
  const { locale, dates, minutes, percents, numbers, countries } = formatsOf(localeIn(language, country))
  return {
    t,
    language,
    hello: (name) => (name === '' ? t('mails.common.hello') : t('mails.common.hello_name', { name })),
    money: (cents, currency) => formatMoney(locale, cents, currency),
    date: (time) => dates.format(time),
    minute: (time) => minutes.format(time),
    percent: (rate) => percents.format(rate / RATE_SCALE),
    number: (count) => numbers.format(count),
    country: (code, otherwise) => (/^[A-Z]{2}$/.test(code) && countries.of(code)) || otherwise,
  }
}

type Formats = ReturnType<typeof newFormats>

/** Making the formats of a locale takes longer than writing a mail. */
const FORMATS_MAX = 50
const formats = new Map<string, Formats>()
const moneyFormats = new Map<string, Intl.NumberFormat>()

/** What is in a map, or else what is made now and kept there, as long as there is room. */
function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  if (map.size < FORMATS_MAX) map.set(key, made)
  return made
}

const formatsOf = (locale: string): Formats => kept(formats, locale, () => newFormats(locale))

function newFormats(locale: string) {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const minutes = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: 'UTC',
  })
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 })
  const numbers = new Intl.NumberFormat(locale)
  const countries = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })
  return { locale, dates, minutes, percents, numbers, countries }
}

/**
 * Cents are hundredths in every currency. Intl would leave out the decimals of some currencies that have them here, and
 * show another amount.
 */
function formatMoney(locale: string, cents: number, currency: string): string {
  const isWhole = smallestCents(currency) === 100 && cents % 100 === 0
  const format = kept(moneyFormats, `${locale} ${currency} ${isWhole}`, () => moneyFormat(locale, currency, isWhole))
  return format.format(cents / 100)
}

function moneyFormat(locale: string, currency: string, isWhole: boolean): Intl.NumberFormat {
  const style = { style: 'currency', currency } as const
  const usual = new Intl.NumberFormat(locale, style).resolvedOptions().minimumFractionDigits
  const digits = isWhole ? 0 : Math.max(2, usual ?? 2)
  return new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits })
}
