import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Finding, figure, type Scale } from '../findings.ts'
import type { LoadedShop } from '../load/run.ts'
import { type Answered, isServed, startTraffic, type Traffic } from '../load/traffic.ts'
import type { Cluster } from './cluster.ts'
import { waitFor } from './processes.ts'

/** Patroni gives a primary that is silent up to its ttl of 20 seconds. The rest is for the vote, the promotion and the health check. */
const SECONDS_MAX = 40
const GIVE_UP_MS = 180_000
/** More losses say nothing new. */
const LOSSES_MAX = 10

const isAccepted = ({ status }: Answered) => status === 201
/** When a request was sent, from the start of its traffic on. */
const sentAt = ({ atMs, ms }: Answered) => atMs - ms

/** How often each status and reason came that are no success, such as `503 service_busy: 12`. Pages say no reason. */
export function failuresByStatus(answers: readonly Answered[]): string {
  const failed = Map.groupBy(
    answers.filter((answer) => !isServed(answer)),
    ({ status, reason = '' }) => `${status ?? 'no answer'} ${reason}`.trim(),
  )
  const counts = [...failed].toSorted(([one], [other]) => one.localeCompare(other))
  return counts.length === 0 ? 'none' : counts.map(([status, { length }]) => `${status}: ${length}`).join(', ')
}

/** The longest time in which no order was accepted. */
function longestPause(orders: readonly Answered[]): number {
  const times = orders.filter(isAccepted).map(({ atMs }) => atMs)
  const pauses = times.toSorted((one, other) => one - other).map((at, index, all) => at - (all[index - 1] ?? at))
  return Math.max(0, ...pauses) / 1000
}

/** The mix of a working shop, and orders beside it, so that many are under way when something happens. */
function startBusyTraffic({ requests }: LoadedShop, isShort: boolean) {
  const startedAt = performance.now()
  const mix = startTraffic(requests, isShort ? 1 : 20)
  const orders: Traffic = startTraffic(requests, isShort ? 4 : 40, 'order')
  return {
    orders: orders.answered,
    /** Waits until an order is accepted that was sent after a moment. */
    async untilAccepted(after: number) {
      const isThere = () => orders.answered.some((each) => isAccepted(each) && sentAt(each) > after - startedAt)
      await waitFor('orders are accepted again', isThere, GIVE_UP_MS)
      return (performance.now() - after) / 1000
    },
    async stop() {
      await Promise.all([mix.stop(), orders.stop()])
      return [...mix.answered, ...orders.answered]
    },
  }
}

/** What came while the primary changed. */
function failureFindings(occasion: string, answers: readonly Answered[]): Finding[] {
  const ofStatus = (wanted: number | undefined) => answers.filter(({ status }) => status === wanted).length
  return [
    figure(`Requests during ${occasion}`, answers.length, ''),
    { what: `Refused or failed during ${occasion}, by status`, figure: failuresByStatus(answers), isMet: true },
    atMost(`Answered with 500 during ${occasion}`, ofStatus(500), 0, 'requests'),
    atMost(`Without any answer during ${occasion}`, ofStatus(undefined), 0, 'requests'),
  ]
}

/** Ends the primary as a power cut does, again and again. Then its machine comes back as a standby. */
async function losePrimaries(shop: LoadedShop, cluster: Cluster, { isShort, rounds, onProgress }: Scale) {
  const count = isShort ? 1 : Math.min(rounds, LOSSES_MAX)
  const traffic = startBusyTraffic(shop, isShort)
  const seconds: number[] = []
  for (let round = 1; round <= count; round += 1) {
    await sleep(isShort ? 500 : 10_000)
    const primary = await cluster.primary()
    await cluster.kill(primary)
    const took = await traffic.untilAccepted(performance.now())
    seconds.push(took)
    onProgress(`loss ${round}: ${primary} was lost, orders were accepted again after ${took.toFixed(1)} s`)
    await cluster.start(primary)
    await cluster.untilWhole(cluster.nodes.length - 1)
    onProgress(`loss ${round}: ${primary} is back as a standby`)
  }
  const answers = await traffic.stop()
  onProgress(`failures by status: ${failuresByStatus(answers)}`)
  return [
    figure('Losses of the primary', count, ''),
    atMost('Until orders were accepted again, at most', Math.max(...seconds), SECONDS_MAX, 's'),
    ...failureFindings('these losses', answers),
  ]
}

/** Ends PostgreSQL alone. Its Patroni sees it and gives the lock back, so nobody has to wait until it expires. */
async function crashPrimary(shop: LoadedShop, cluster: Cluster, { onProgress }: Scale) {
  const traffic = startBusyTraffic(shop, false)
  await sleep(5000)
  await cluster.crash(await cluster.primary())
  const took = await traffic.untilAccepted(performance.now())
  await cluster.untilWhole(cluster.nodes.length - 1)
  const answers = await traffic.stop()
  onProgress(`crashed, orders after ${took.toFixed(1)} s; failures by status: ${failuresByStatus(answers)}`)
  return [
    atMost('Until orders were accepted again after PostgreSQL alone was killed', took, SECONDS_MAX, 's'),
    ...failureFindings('this crash', answers),
  ]
}

/** Moves the primary on purpose, as before work on its machine. */
async function movePrimary(shop: LoadedShop, cluster: Cluster, { isShort, onProgress }: Scale) {
  const traffic = startBusyTraffic(shop, isShort)
  await sleep(isShort ? 500 : 5000)
  await cluster.switchOver()
  await cluster.untilWhole(cluster.nodes.length - 1)
  await traffic.untilAccepted(performance.now())
  const answers = await traffic.stop()
  const pause = longestPause(traffic.orders)
  onProgress(`moved; no orders for ${pause.toFixed(1)} s; failures by status: ${failuresByStatus(answers)}`)
  return [
    atMost('Without an accepted order while the primary was moved on purpose', pause, SECONDS_MAX, 's'),
    ...failureFindings('this move', answers),
  ]
}

/**
 * Loses the primary, crashes it, and then moves it, while requests come. Whether anything that was acknowledged is lost is seen when the ledger is
 * compared with what is stored.
 */
export async function proveFailover(shop: LoadedShop, cluster: Cluster, scale: Scale): Promise<Finding[]> {
  const lost = await losePrimaries(shop, cluster, scale)
  const crashed = scale.isShort ? [] : await crashPrimary(shop, cluster, scale)
  return [...lost, ...crashed, ...(await movePrimary(shop, cluster, scale))]
}
