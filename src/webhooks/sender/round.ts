import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { TryDelivery } from './attempt.ts'
import { type Claimed, type DueDelivery, LEASE_SECONDS, ROUND_MS } from './claims.ts'
import type { Recorder } from './recorder.ts'
import { type Result, recordFailures } from './results.ts'
import type { Slots } from './slots.ts'

export type RoundOptions = {
  db: Db
  clock: Clock
  recorder: Recorder
  tryDelivery: TryDelivery
  /** Requests to the webhook at the same time, of different resources. */
  parallelMax: number
  /** Runs a request when there is a place for it. */
  inPlace: Slots['run']
  isStopping: () => boolean
}

/**
 * Sends the deliveries of one claimed webhook: those of a resource in order, those of different resources side by side.
 * After the first failure no other is begun.
 */
export async function runRound(
  { db, clock, recorder, tryDelivery, parallelMax, inPlace, isStopping }: RoundOptions,
  webhook: Claimed,
  deliveries: readonly DueDelivery[],
  mayHaveMore: boolean,
): Promise<void> {
  const chains = [...Map.groupBy(deliveries, ({ resource }) => resource).values()]
  const end = webhook.leased_until.getTime() - LEASE_SECONDS * 1000 + ROUND_MS
  const failed: Result[] = []
  const recorded: Promise<void>[] = []
  let next = 0
  const isOver = () => failed.length > 0 || isStopping() || clock.now().getTime() > end

  /** It may fail long before the end of the round, where its error is reported. */
  function keep(writing: Promise<void>): void {
    writing.catch(() => {})
    recorded.push(writing)
  }

  async function sendChain(chain: readonly DueDelivery[]): Promise<void> {
    for (const delivery of chain) {
      // It may have waited for its place until the round was over, and the webhook may be another worker's by now.
      const attempt = await inPlace(webhook.company_id, async () =>
        isOver() ? undefined : tryDelivery(webhook, delivery),
      )
      if (attempt === undefined) return
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

  await Promise.all(Array.from({ length: Math.min(parallelMax, chains.length) }, sendChains))
  if (failed.length > 0) {
    await Promise.all(recorded)
    await inTransaction(db, (tx) => recordFailures(tx, { webhook, failed, delivered: recorded.length }, clock.now()))
    return
  }
  // Later events of a resource waited behind one that had failed before, and may follow it now.
  const wasInTheWay = deliveries.some(({ failures }) => failures > 0)
  const isDrained = recorded.length === deliveries.length && !mayHaveMore && !wasInTheWay
  await Promise.all([...recorded, recorder.released({ webhook, isDrained, hasDelivered: recorded.length > 0 })])
}
