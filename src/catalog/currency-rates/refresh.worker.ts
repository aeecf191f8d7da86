import { type Clock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Log } from '#platform/log/log.ts'
import type { Metrics } from '#platform/log/metrics.ts'
import { download } from '#platform/outbound/download.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { claimRefresh, recordRefresh, storeQuote } from './commands.ts'
import { type Reading, readQuote } from './rules.ts'

export const REFRESH_RATES = 'refresh currency rates'

/** New rates are published on working days in the afternoon; with four requests a day they arrive within hours. */
const AGAIN_SECONDS = 6 * 3600
const AFTER_FAILURE_SECONDS = 3600
const LEASE_SECONDS = 600
/** A day's file has two kilobytes. */
const LIMITS = { bytesMax: 65_536, timeoutMs: 20_000, redirectsMax: 3 }

export type RatesRefresherOptions = {
  db: Db
  clock: Clock
  log: Log
  metrics: Metrics
  outbound: Outbound
  url: string
  timeoutMs?: number
}

/**
 * Fetches the rates of the day, if that is due. If the source fails, the rates stay as they are, and the failure goes
 * to the log, the metrics and `licet doctor`.
 */
export function createRatesRefresher(options: RatesRefresherOptions): () => Promise<void> {
  const { db, clock, log, metrics, url } = options
  return async () => {
    const now = () => nowInSeconds(clock)
    if (!(await inTransaction(db, (tx) => claimRefresh(tx, now(), LEASE_SECONDS)))) return
    const reading = await fetchQuote(options)
    const failure = await inTransaction(db, async (tx) => {
      const objection = reading.kind === 'rates' ? await storeQuote(tx, reading) : reading.reason
      await recordRefresh(tx, now(), objection, objection === undefined ? AGAIN_SECONDS : AFTER_FAILURE_SECONDS)
      return objection
    })
    metrics.jobDone(REFRESH_RATES, failure === undefined ? 'done' : 'failed')
    if (failure !== undefined) log.warn({ url, failure }, 'currency rates were not refreshed')
  }
}

async function fetchQuote({ outbound, url, clock, timeoutMs }: RatesRefresherOptions): Promise<Reading> {
  const got = await download(outbound, url, { ...LIMITS, timeoutMs: timeoutMs ?? LIMITS.timeoutMs })
  if (got.kind === 'refused') return got
  const text = decode(got.bytes)
  return text === undefined ? { kind: 'refused', reason: 'The file is not in UTF-8.' } : readQuote(text, clock.now())
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
