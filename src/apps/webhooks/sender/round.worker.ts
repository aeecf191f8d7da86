import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import type { Semaphore } from '#platform/processes/semaphore.ts'
import type { TryDelivery } from './attempt.worker.ts'
import { type Claimed, type DueDelivery, LEASE_SECONDS, ROUND_MS } from './claims.commands.ts'
import type { Recorder } from './recorder.worker.ts'
import { type Result, recordFailures } from './results.commands.ts'
import type { Slots } from './slots.worker.ts'

/** The webhooks of one receiver that were claimed, and what to send to them. */
export type Round = {
  webhooks: readonly Claimed[]
  deliveries: readonly DueDelivery[]
  /** The webhooks that may have more to send than was read. */
  unread: ReadonlySet<number>
  isFailing: boolean
}

export type RoundOptions = {
  db: Db
  clock: Clock
  recorder: Recorder
  tryDelivery: TryDelivery
  slots: Slots
  /** Failures are recorded one by one, and must not take all connections to the database. */
  recordOne: Semaphore
  /** Requests to the receiver at the same time, of different resources. */
  parallelMax: number
  isStopping: () => boolean
  /** Was the webhook paused, deleted or given another address meanwhile? */
  isLost: (webhook: Claimed) => boolean
}

/**
 * Sends the deliveries of one receiver: those of a resource in order, those of different resources side by side. After the
 * first failure no other is begun. Returns whether there is more to send at once.
 */
export async function runRound(options: RoundOptions, round: Round): Promise<boolean> {
  const { db, clock, recorder, recordOne } = options
  const { failed, recorded } = await sendAll(options, round)
  const delivered = Map.groupBy(recorded, ({ webhookId }) => webhookId)
  const failures = Map.groupBy(failed, ({ delivery }) => delivery.webhook_id)
  const written = Promise.all(recorded.map(({ writing }) => writing))
  const ended = round.webhooks.map(async (webhook) => {
    const count = delivered.get(webhook.id)?.length ?? 0
    const ofWebhook = failures.get(webhook.id)
    if (ofWebhook === undefined) return recorder.released(releaseOf(round, webhook, count))
    await written
    await recordOne(() =>
      inTransaction(db, (tx) => recordFailures(tx, { webhook, failed: ofWebhook, delivered: count }, clock)),
    )
    return false
  })
  const [isDueAgain] = await Promise.all([Promise.all(ended), written])
  return isDueAgain.includes(true)
}

function releaseOf({ deliveries, unread }: Round, webhook: Claimed, count: number) {
  const own = deliveries.filter(({ webhook_id }) => webhook_id === webhook.id)
  // Later events of a resource waited behind one that had failed before, and may follow it now.
  const wasInTheWay = deliveries.some(({ failures }) => failures > 0)
  const isDrained = count === own.length && !unread.has(webhook.id) && !(wasInTheWay && count > 0)
  return { webhook, isDrained, hasDelivered: count > 0 }
}

type Recorded = { webhookId: number; writing: Promise<void> }

async function sendAll(
  { clock, recorder, tryDelivery, slots, parallelMax, isStopping, isLost }: RoundOptions,
  { webhooks, deliveries, isFailing }: Round,
): Promise<{ failed: Result[]; recorded: Recorded[] }> {
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  const chains = [...Map.groupBy(deliveries, ({ resource }) => resource).values()]
  const end = Math.min(...webhooks.map(({ leased_until }) => leased_until.getTime())) - LEASE_SECONDS * 1000 + ROUND_MS
  const failed: Result[] = []
  const recorded: Recorded[] = []
  const host = hostOf(webhooks[0]?.address ?? '')
  let next = 0
  const isOver = () => failed.length > 0 || isStopping() || clock.now().getTime() > end || webhooks.some(isLost)

  async function send(delivery: DueDelivery): Promise<boolean> {
    const webhook = byId.get(delivery.webhook_id)
    if (webhook === undefined) return false
    const place = { companyId: webhook.company_id, host, isFailing }
    // It may have waited for its place until the round was over, and the webhook may be another worker's by now.
    const attempt = await slots.run(place, async () => (isOver() ? undefined : tryDelivery(webhook, delivery)))
    if (attempt === undefined) return false
    if (attempt.code !== null) {
      failed.push({ delivery, attempt })
      return false
    }
    // It may fail long before the end of the round, where its error is reported.
    const writing = awaitedLater(recorder.delivered({ delivery, attempt }))
    recorded.push({ webhookId: webhook.id, writing })
    return true
  }

  async function sendChains(): Promise<void> {
    while (next < chains.length && !isOver()) {
      const chain = chains[next] ?? []
      next += 1
      for (const delivery of chain.toSorted((one, other) => one.id - other.id)) if (!(await send(delivery))) break
    }
  }

  await Promise.all(Array.from({ length: Math.min(parallelMax, chains.length) }, sendChains))
  return { failed, recorded }
}

/** The host that connections are counted by; all webhooks of a receiver have the same address. */
function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}
