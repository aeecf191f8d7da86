import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { TryDelivery } from './attempt.ts'
import { type Claimed, type DueDelivery, ROUND_MS } from './claims.ts'
import type { Recorder } from './recorder.ts'
import { type Result, recordFailures } from './results.ts'

/** Requests to one webhook at the same time, of different resources. */
const PARALLEL_MAX = 20

export type RoundOptions = {
  db: Db
  clock: Clock
  recorder: Recorder
  /** Tries a delivery when there is a place for it. */
  tryDelivery: TryDelivery
  isStopping: () => boolean
}

/**
 * Sends the deliveries of one claimed webhook: those of a resource in order, those of different resources side by side.
 * After the first failure no other is begun.
 */
export async function runRound(
  { db, clock, recorder, tryDelivery, isStopping }: RoundOptions,
  webhook: Claimed,
  deliveries: readonly DueDelivery[],
  mayHaveMore: boolean,
): Promise<void> {
  const chains = [...Map.groupBy(deliveries, ({ resource }) => resource).values()]
  const started = performance.now()
  const failed: Result[] = []
  const recorded: Promise<void>[] = []
  let next = 0
  const isOver = () => failed.length > 0 || isStopping() || performance.now() - started > ROUND_MS

  /** It may fail long before the end of the round, where its error is reported. */
  function keep(writing: Promise<void>): void {
    writing.catch(() => {})
    recorded.push(writing)
  }

  async function sendChain(chain: readonly DueDelivery[]): Promise<void> {
    for (const delivery of chain) {
      if (isOver()) return
      const attempt = await tryDelivery(webhook, delivery)
      if (attempt.code === null) keep(recorder.delivered({ delivery, attempt }))
      else failed.push({ delivery, attempt })
    }
  }

  async function sendChains(): Promise<void> {
    while (next < chains.length && !isOver()) {
      const chain = chains[next] ?? []
      next += 1
      await sendChain(chain.toSorted((one, other) => one.id - other.id))
    }
  }

  await Promise.all(Array.from({ length: Math.min(PARALLEL_MAX, chains.length) }, sendChains))
  if (failed.length > 0) {
    await Promise.all(recorded)
    await inTransaction(db, (tx) => recordFailures(tx, { webhook, failed, delivered: recorded.length }, clock.now()))
    return
  }
  const isDrained = recorded.length === deliveries.length && !mayHaveMore
  await Promise.all([...recorded, recorder.released({ webhook, isDrained, hasDelivered: recorded.length > 0 })])
}
