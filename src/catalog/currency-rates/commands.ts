import type { Tx } from '#platform/db/database.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { presentRate } from './present.ts'
import { lockRates, type RateRow, readKnownQuote, readRateRows } from './queries.ts'
import { objectionTo, type Quote } from './rules.ts'
import { SNAPSHOT } from './snapshot.facts.ts'

/** Replaces older rates with these; returns a reason if they are refused. */
export async function storeQuote(tx: Tx, quote: Quote): Promise<string | undefined> {
  await lockRates(tx)
  const objection = objectionTo(quote, await readKnownQuote(tx))
  if (objection !== undefined) return objection
  const rates = [['EUR', 1] as const, ...quote.rates]
  await saveRates(
    tx,
    rates.map(([currency, rate_to_eur]) => ({ currency, rate_to_eur, quoted_at: quote.quotedAt })),
  )
  return undefined
}

/** Stores the rates that come with the service, unless it has newer ones. */
export async function addSnapshot(tx: Tx): Promise<void> {
  const { quotedAt } = await readKnownQuote(tx)
  if (quotedAt < SNAPSHOT.quotedAt) await storeQuote(tx, SNAPSHOT)
}

/** Rewrites the documents of all rates. */
export async function refreshRates(tx: Tx): Promise<number> {
  await lockRates(tx)
  const rows = await readRateRows(tx)
  await saveRates(tx, rows)
  return rows.length
}

async function saveRates(tx: Tx, rows: RateRow[]): Promise<void> {
  const values = rows.map((row) => ({ ...row, document: asciiJson(presentRate(row)) }))
  await tx
    .insertInto('currency_rates')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('currency').doUpdateSet(({ ref }) => ({
        rate_to_eur: ref('excluded.rate_to_eur'),
        quoted_at: ref('excluded.quoted_at'),
        document: ref('excluded.document'),
      })),
    )
    .execute()
}

/** Claims the refresh for a while if it is due; only one of several workers gets it. */
export async function claimRefresh(tx: Tx, now: Date, leaseSeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('currency_rate_refresh')
    .set({ due_at: after(now, leaseSeconds), tried_at: now })
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Records when to refresh next and, after a failure, the reason. */
export async function recordRefresh(
  tx: Tx,
  now: Date,
  failure: string | undefined,
  againSeconds: number,
): Promise<void> {
  const outcome = failure === undefined ? { succeeded_at: now, failure: null } : { failure }
  await tx
    .updateTable('currency_rate_refresh')
    .set({ ...outcome, due_at: after(now, againSeconds) })
    .execute()
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}
