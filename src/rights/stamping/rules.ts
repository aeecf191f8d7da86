import { t } from '#platform/text/messages.ts'
import type { StampedCopy, StampedFileState } from './state.ts'

/** Who a copy was made for. */
export type Stamp = {
  /** The name of the buyer. */
  name: string
  email: string
  /** The name of the order, such as `#1000`. */
  order: string
  /** The day of the order, as `2031-06-01`. */
  date: string
  /** The code of the buyer's language. */
  language: string
}

export type StampableFormat = 'pdf' | 'epub'

/** The format by the first kilobyte of a file. Some EPUBs do not begin with what they are, so the name counts too. */
export function sniffFormat(head: string, name: string): StampableFormat | undefined {
  if (head.includes('%PDF-')) return 'pdf'
  if (!head.startsWith('PK\x03\x04')) return undefined
  return head.includes('application/epub+zip') || name.toLowerCase().endsWith('.epub') ? 'epub' : undefined
}

const NAME_MAX = 80

/** Characters that would turn the text around a name. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu

/** Text in one line, without control characters and halves of characters, which no XML may contain. */
export function inOneLine(text: string): string {
  return text
    .slice(0, 4 * NAME_MAX)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ')
    .replace(DIRECTIONS, '')
    .replace(/ +/g, ' ')
    .trim()
}

function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length <= NAME_MAX ? text : `${characters.slice(0, NAME_MAX - 1).join('')}…`
}

/** Begins and ends a piece of text with a direction of its own, so that it does not reorder the text around it. */
const ISOLATE = '\u2068'
const END_OF_ISOLATE = '\u2069'

function sentence(who: string, { order, date, language }: Stamp): string {
  const parts = [
    who === '' ? '' : t(language, 'rights.stamp.to', { name: who }),
    order === '' ? '' : t(language, 'rights.stamp.order', { order }),
    date,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

const isolated = (who: string) => (who === '' ? '' : `${ISOLATE}${who}${END_OF_ISOLATE}`)

/** The stamp for documents in Unicode: any name in its own script. */
export function stampText(stamp: Stamp): string {
  return sentence(isolated(shortened(inOneLine(stamp.name)) || inOneLine(stamp.email)), stamp)
}

/** The heading of a page that has nothing but the stamp. */
export function stampTitle({ language }: Stamp): string {
  return t(language, 'rights.stamp.title')
}

/** The text in the letters that a font has, without signs that it lacks, such as emoji. Undefined if it lacks a letter. */
export function inFont(text: string, has: (letter: string) => boolean): string | undefined {
  let result = ''
  for (const character of inOneLine(text).normalize('NFC')) {
    const plain = has(character) ? character : character.normalize('NFKD').replace(/\p{M}+/gu, '')
    if ([...plain].every(has)) result += plain
    else if (/[\p{L}\p{N}]/u.test(plain)) return undefined
  }
  return result.replace(/ +/g, ' ').trim()
}

/** The stamp for a PDF. A name in letters that no font has is replaced by the email address. */
export function stampLine(stamp: Stamp, has: (letter: string) => boolean): string {
  const who = inFont(stamp.name, has) || inFont(stamp.email, has) || ''
  return sentence(isolated(shortened(who)), { ...stamp, order: inFont(stamp.order, has) ?? '' })
}

const DAY_MS = 86_400_000
const KEPT_DAYS = 90

/** Copies that were last fetched before this time are deleted. */
export function lastKept(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * DAY_MS)
}

/** The time of the last use is exact to the day, so that most requests write nothing. */
export function isUseNoted({ used_at }: StampedFileState, now: Date): boolean {
  return now.getTime() - used_at.getTime() < DAY_MS
}

const TRIES_MAX = 2

/** A file that took too much memory or time is tried once more at once, and not again and again: each try costs a minute. */
export function isTriedOnceMore({ isFinal }: { isFinal: boolean }, attempts: number): boolean {
  return !isFinal && attempts < TRIES_MAX
}

/** The reason may have been a worker that was short of memory, or one that was updated since. */
export function isTriedAgain({ state, updated_at }: StampedFileState, now: Date): boolean {
  return state === 'failed' && now.getTime() - updated_at.getTime() >= DAY_MS
}

export function copyOf({ state, reason, key, size, sha256 }: StampedFileState): StampedCopy {
  if (state === 'failed') return { state, reason: reason ?? '' }
  return key === null || size === null || sha256 === null ? { state: 'pending' } : { state: 'ready', key, size, sha256 }
}

/** Where a copy is stored, in a folder of its own. */
export function copyFolder({ company_id, id }: { company_id: number; id: number }): string {
  return `stamped/${company_id}/${id}`
}
