import type { Db, Tx } from '#platform/db/database.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Quote, Rates } from './rules.ts'

const allDocuments = prepareList((db: Db) => db.selectFrom('currency_rates').select(['id', 'document']))

/** The rates belong to the whole platform, so there is no company in these queries. */
export function listCurrencyRates(db: Db): DocumentList {
  return allDocuments(db, {})
}

const allRates = prepare((db: Db) => db.selectFrom('currency_rates').select(['currency', 'rate_to_eur']).compile())

/** The latest rate of every currency, to convert with. */
export async function readRates(db: Db): Promise<Rates> {
  const rows = await allRates(db)
  return new Map(rows.map(({ currency, rate_to_eur }) => [currency, rate_to_eur]))
}

export type RateRow = { currency: string; rate_to_eur: number; quoted_at: Date }

export function readRateRows(db: Db): Promise<RateRow[]> {
  return db.selectFrom('currency_rates').select(['currency', 'rate_to_eur', 'quoted_at']).orderBy('id').execute()
}

/** All stored rates, and the latest day among them. */
export async function readKnownQuote(db: Db): Promise<Quote> {
  const rows = await readRateRows(db)
  return {
    quotedAt: new Date(Math.max(0, ...rows.map(({ quoted_at }) => quoted_at.getTime()))),
    rates: new Map(rows.map(({ currency, rate_to_eur }) => [currency, rate_to_eur])),
  }
}

export type Refresh = { tried_at: Date | null; succeeded_at: Date | null; failure: string | null }

/** How the last refresh went. */
export function readRefresh(db: Db): Promise<Refresh> {
  return db
    .selectFrom('currency_rate_refresh')
    .select(['tried_at', 'succeeded_at', 'failure'])
    .executeTakeFirstOrThrow()
}

/** Locks the rates until the transaction ends, so that they cannot change after they were compared. */
export async function lockRates(tx: Tx): Promise<void> {
  await tx.selectFrom('currency_rate_refresh').select('only_row').forUpdate().executeTakeFirstOrThrow()
}
