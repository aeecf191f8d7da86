import { localeOf, type Translator, translatorOf } from '#platform/text/messages.ts'
import { type Clause, clausesOf, type Described } from './clauses.rules.ts'
import { licenseEndOf, nextYearOf, type Period, startOf } from './periods.rules.ts'
import { deviceLimitOf, type Refusal } from './rules.ts'
import type { Rights } from './state.ts'

type Wording = { t: Translator; date(time: Date): string }

/** Formats are made once for each language, because making them takes a hundred times as long as a decision. */
const known = new Map<string, Wording>()

function wordingFor(asked: string): Wording {
  const t = translatorOf(asked)
  const before = known.get(t.language)
  if (before !== undefined) return before
  const dates = new Intl.DateTimeFormat(localeOf(t.language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const wording: Wording = { t, date: (time) => `${dates.format(time)} UTC` }
  known.set(t.language, wording)
  return wording
}

/** What a customer may do with it, as sentences in the customer's language. */
export function termsInWords(rights: Described, language: string): string {
  const wording = wordingFor(language)
  return clausesOf(rights)
    .map((clause) => clauseInWords(clause, wording))
    .join(' ')
}

/** How a page writes dates; without it they have the hour, too. */
type WriteDate = Wording['date']

/** The same, one sentence for each clause, for pages that list them. */
export function clausesInWords(
  rights: Described,
  language: string,
  date: WriteDate = wordingFor(language).date,
): { kind: Clause['kind']; text: string }[] {
  const wording = { ...wordingFor(language), date }
  return clausesOf(rights).map((clause) => ({ kind: clause.kind, text: clauseInWords(clause, wording) }))
}

function clauseInWords(clause: Clause, { t, date }: Wording): string {
  const period = ({ count, unit }: Period) => t(`rights.units.${unit}`, { count })
  switch (clause.kind) {
    case 'no end':
      return t('rights.clauses.no_end')
    case 'while a member':
      return t('rights.clauses.while_a_member')
    case 'ends on':
      return t('rights.clauses.ends_on', { date: date(clause.date) })
    case 'ends after acquisition':
      return t('rights.clauses.after_acquisition', { period: period(clause.period) })
    case 'ends after first use':
      return t('rights.clauses.after_first_use', { period: period(clause.period) })
    case 'no playing':
      return t('rights.clauses.no_playing')
    case 'no downloads':
      return t('rights.clauses.no_downloads')
    case 'downloads':
      return t('rights.clauses.downloads', { count: clause.count })
    case 'downloads a year':
      return t('rights.clauses.downloads_a_year', { count: clause.count })
    case 'devices at once':
      return t('rights.clauses.devices_at_once', { count: clause.count })
    case 'devices a year':
      return t('rights.clauses.devices_a_year', { count: clause.count })
    case 'exports':
      return clause.count === null
        ? t('rights.clauses.exports_without_limit')
        : t('rights.clauses.exports', { count: clause.count })
    case 'exports a year':
      return t('rights.clauses.exports_a_year', { count: clause.count })
    case 'burns':
      return clause.count === null
        ? t('rights.clauses.burns_without_limit')
        : t('rights.clauses.burns', { count: clause.count })
    case 'prints':
      return clause.pages === null
        ? t('rights.clauses.prints_without_limit')
        : t('rights.clauses.prints', { count: clause.pages })
    case 'no protection':
      return t('rights.clauses.no_protection')
  }
}

/** Why something is refused, as a sentence for the customer. */
export function refusalInWords(
  refusal: Refusal,
  rights: Rights,
  now: Date,
  language: string,
  date: WriteDate = wordingFor(language).date,
): string {
  const { t } = wordingFor(language)
  // Nobody can stop it on another device if the license allows none.
  const isOnNone = refusal.endsWith('device_limit') && deviceLimitOf(rights) === 0
  const reason = isOnNone ? 'play_not_allowed' : refusal
  const pages = t('rights.units.pages', { count: rights.terms.burn_play })
  return t(`rights.refusals.${reason}`, { date: date(dateOf(refusal, rights, now)), pages })
}

/** The date that a refusal is about. */
function dateOf(refusal: Refusal, rights: Rights, now: Date): Date {
  if (refusal === 'not_released') return startOf(rights)
  if (refusal === 'expired') return licenseEndOf(rights) ?? now
  if (refusal === 'membership_not_started') return rights.membership?.starts_at ?? now
  if (refusal === 'not_in_group_yet') return rights.membership?.opens_at ?? now
  return nextYearOf(rights, now)
}
