import { type Clause, clausesOf } from './clauses.rules.ts'
import { endOf, nextYearOf, startOf } from './periods.rules.ts'
import { de } from './phrases/de.words.ts'
import { en } from './phrases/en.words.ts'
import { es } from './phrases/es.words.ts'
import { fr } from './phrases/fr.words.ts'
import { it } from './phrases/it.words.ts'
import type { Phrases } from './phrases/phrases.words.ts'
import { pt } from './phrases/pt.words.ts'
import { deviceLimitOf, type Refusal } from './rules.ts'
import type { Rights } from './state.ts'

export const PHRASES: Readonly<Record<string, Phrases>> = { en, de, pt, es, it, fr }

type Words = { phrases: Phrases; date(time: Date): string; number(count: number): string }

/** Formats are made once for each language, because making them takes a hundred times as long as a decision. */
const known = new Map<string, Words>()

/** Languages without phrases fall back to English. */
function wordsFor(asked: string): Words {
  const language = Object.hasOwn(PHRASES, asked) ? asked : 'en'
  const words = known.get(language)
  if (words !== undefined) return words
  const phrases = PHRASES[language] ?? en
  const locale = `${language}-${phrases.region}`
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(locale)
  const fresh: Words = {
    phrases,
    date: (time) => `${dates.format(time)} UTC`,
    number: (count) => numbers.format(count),
  }
  known.set(language, fresh)
  return fresh
}

export type Described = Pick<Rights, 'terms' | 'product_type' | 'users'>

/** What a customer may do with it, as sentences in the customer's language. */
export function termsInWords(rights: Described, language: string): string {
  const words = wordsFor(language)
  return clausesOf(rights)
    .map((clause) => clauseInWords(clause, words))
    .join(' ')
}

/** How a page writes dates; without it they have the hour, too. */
type WriteDate = Words['date']

/** The same, one sentence for each clause, for pages that list them. */
export function clausesInWords(
  rights: Described,
  language: string,
  date: WriteDate = wordsFor(language).date,
): { kind: Clause['kind']; text: string }[] {
  const words = { ...wordsFor(language), date }
  return clausesOf(rights).map((clause) => ({ kind: clause.kind, text: clauseInWords(clause, words) }))
}

function clauseInWords(clause: Clause, { phrases, date, number }: Words): string {
  const counted = (count: number, say: (count: number, shown: string) => string) => say(count, number(count))
  const period = ({ count, unit }: { count: number; unit: keyof Phrases['units'] }) =>
    counted(count, phrases.units[unit])
  switch (clause.kind) {
    case 'no end':
      return phrases.noEnd
    case 'ends on':
      return phrases.endsOn(date(clause.date))
    case 'ends after acquisition':
      return phrases.afterAcquisition(period(clause.period))
    case 'ends after first use':
      return phrases.afterFirstUse(period(clause.period))
    case 'no playing':
      return phrases.noPlaying
    case 'no downloads':
      return phrases.noDownloads
    case 'downloads':
      return counted(clause.count, phrases.downloads)
    case 'downloads a year':
      return counted(clause.count, phrases.downloadsAYear)
    case 'devices at once':
      return counted(clause.count, phrases.devicesAtOnce)
    case 'devices a year':
      return counted(clause.count, phrases.devicesAYear)
    case 'exports':
      return clause.count === null ? phrases.exportsWithoutLimit : counted(clause.count, phrases.exports)
    case 'exports a year':
      return counted(clause.count, phrases.exportsAYear)
    case 'burns':
      return clause.count === null ? phrases.burnsWithoutLimit : counted(clause.count, phrases.burns)
    case 'prints':
      return clause.pages === null ? phrases.printsWithoutLimit : counted(clause.pages, phrases.prints)
    case 'no protection':
      return phrases.noProtection
  }
}

/** Why something is refused, as a sentence for the customer. */
export function refusalInWords(
  refusal: Refusal,
  rights: Rights,
  now: Date,
  language: string,
  date: WriteDate = wordsFor(language).date,
): string {
  const { phrases, number } = wordsFor(language)
  // Nobody can stop it on another device if the license allows none.
  const isOnNone = refusal.endsWith('device_limit') && deviceLimitOf(rights) === 0
  const say = phrases.refusals[isOnNone ? 'play_not_allowed' : refusal]
  const { burn_play } = rights.terms
  return say({ date: date(dateOf(refusal, rights, now)), pages: phrases.units.pages(burn_play, number(burn_play)) })
}

/** The date that a refusal is about. */
function dateOf(refusal: Refusal, rights: Rights, now: Date): Date {
  if (refusal === 'not_released') return startOf(rights)
  if (refusal === 'expired') return endOf(rights) ?? now
  return nextYearOf(rights, now)
}
