import { partOfCents } from '#platform/wire/money.ts'
import { parseTime } from '#platform/wire/times.ts'
import { smallestCents } from './currencies.facts.ts'

/** Units of each currency per euro, by its code in capital letters. */
export type Rates = ReadonlyMap<string, number>

/** The rates of one day, without the euro's own. */
export type Quote = { quotedAt: Date; rates: Rates }

/** The result of reading a source: rates, or one sentence that says why there are none. */
export type Reading = ({ kind: 'rates' } & Quote) | { kind: 'refused'; reason: string }

const EURO = 'EUR'
/** Rates have at most eight decimals, so that a rate times this is a whole number. */
const SCALE = 100_000_000
const RATE_MIN = 0.0001
const RATE_MAX = 10_000_000
const DAY_MS = 86_400_000
/** A rate that grows tenfold within a month is taken for a misplaced decimal point. */
const JUMP_MAX = 10
const JUMP_DAYS = 31

/** An amount in another currency, rounded half up to its smallest payable amount; undefined if a rate is missing. */
export function convertCents(cents: number, from: string, to: string, rates: Rates): number | undefined {
  if (from === to) return cents
  const one = rateOf(from, rates)
  const other = rateOf(to, rates)
  if (one === undefined || other === undefined) return undefined
  const step = smallestCents(to)
  return partOfCents(cents, Math.round(other * SCALE), Math.round(one * SCALE) * step) * step
}

function rateOf(currency: string, rates: Rates): number | undefined {
  return currency === EURO ? 1 : rates.get(currency)
}

const DAY = /<Cube\s+time\s*=\s*(?:'([^'<>]*)'|"([^"<>]*)")\s*>/g
const RATE =
  /<Cube\s+currency\s*=\s*(?:'([A-Z]{3})'|"([A-Z]{3})")\s+rate\s*=\s*(?:'(\d{1,8}(?:\.\d{1,8})?)'|"(\d{1,8}(?:\.\d{1,8})?)")\s*\/>/g

/**
 * Reads the European Central Bank's daily file: one element for the day, and in it one for each currency. A file with a
 * document type, an entity or an element of another form is refused as a whole.
 */
export function readQuote(text: string, now: Date): Reading {
  if (!/^\uFEFF?\s*<[\s\S]*<\/(?:\w+:)?Envelope>\s*$/.test(text)) return refused('is not a file of reference rates')
  if (text.includes('<!') || text.includes('&')) return refused('has a document type or an entity')
  const days = [...text.matchAll(DAY)]
  const quotedAt = readDay(days[0]?.[1] ?? days[0]?.[2] ?? '')
  if (days.length !== 1 || quotedAt === undefined) return refused('does not say which day it is of')
  if (quotedAt.getTime() > now.getTime() + DAY_MS) return refused('is of a day that has not come')
  const entries = [...text.matchAll(RATE)].map(
    ([, code, sameCode, rate, sameRate]) => [code ?? sameCode ?? '', Number(rate ?? sameRate)] as const,
  )
  if (entries.length === 0) return refused('has no rates')
  // Beside the rates there are two elements of that name, the outer one and the day; any further one was not
  // understood.
  if (entries.length + 2 !== text.split(/<Cube[\s/>]/).length - 1) return refused('has rates that cannot be read')
  const rates = new Map(entries)
  if (rates.size !== entries.length) return refused('has a currency twice')
  const absurd = entries.find(([code, rate]) => (code === EURO ? rate !== 1 : rate < RATE_MIN || rate > RATE_MAX))
  if (absurd !== undefined) return refused(`has an absurd rate: ${absurd.join(' ')}`)
  rates.delete(EURO)
  return { kind: 'rates', quotedAt, rates }
}

function readDay(text: string): Date | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTime(text) : undefined
}

/** The reason why new rates must not replace the stored ones, as a sentence; undefined if they may. */
export function objectionTo(next: Quote, known: Quote): string | undefined {
  const age = next.quotedAt.getTime() - known.quotedAt.getTime()
  if (age < 0) return `The file is of ${dayOf(next)}, and rates of ${dayOf(known)} are known.`
  if (age > JUMP_DAYS * DAY_MS) return undefined
  for (const [code, rate] of next.rates) {
    const before = known.rates.get(code)
    if (before !== undefined && (rate > before * JUMP_MAX || rate * JUMP_MAX < before))
      return `The file has a rate that cannot be: ${code} ${rate}, after ${before}.`
  }
  return undefined
}

function dayOf({ quotedAt }: Quote): string {
  return quotedAt.toISOString().slice(0, 10)
}

function refused(why: string): Reading {
  return { kind: 'refused', reason: `The file ${why}.` }
}
