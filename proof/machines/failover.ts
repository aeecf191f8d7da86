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
  const acceptedSince = (moment: number) =>
    orders.answered.filter((each) => isAccepted(each) && sentAt(each) > moment - startedAt)
  const mix = startTraffic(requests, isShort ? 1 : 20)
  const orders: Traffic = startTraffic(requests, isShort ? 4 : 40, 'order')
  return {
    orders: orders.answered,
    /** The orders that were sent after a moment and accepted. */
    acceptedSince,
    /** Waits until an order is accepted that was sent after a moment. */
    async untilAccepted(after: number) {
      await waitFor('orders are accepted again', () => acceptedSince(after).length > 0, GIVE_UP_MS)
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

/**
 * Loses the primary and the standby that has confirmed its commits. The third machine must not take over: alone it cannot know that the
 * others are lost, and it may lack what they have acknowledged. Then one of the two comes back.
 */
async function loseTwo(shop: LoadedShop, cluster: Cluster, { onProgress }: Scale) {
  const traffic = startBusyTraffic(shop, false)
  await sleep(5000)
  const [primary, confirming] = [await cluster.primary(), await cluster.confirming()]
  await Promise.all([cluster.kill(primary), cluster.kill(confirming)])
  const lostAt = performance.now()
  await sleep(SECONDS_MAX * 1000)
  const accepted = traffic.acceptedSince(lostAt).length
  await cluster.start(confirming)
  const took = await traffic.untilAccepted(performance.now())
  onProgress(`${primary} and ${confirming} were lost, orders after ${took.toFixed(1)} s with ${confirming}`)
  await cluster.start(primary)
  await cluster.untilWhole(cluster.nodes.length - 1)
  const answers = await traffic.stop()
  onProgress(`both are back; failures by status: ${failuresByStatus(answers)}`)
  return [
    atMost('Orders accepted while two of three machines were lost', accepted, 0, ''),
    atMost('Until orders were accepted again when one of the two was back', took, SECONDS_MAX, 's'),
    ...failureFindings('this loss of two', answers),
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
 * Loses the primary, two machines at once, crashes the primary, and then moves it, while requests come. Whether anything that was acknowledged is lost is seen when the ledger is
 * compared with what is stored.
 */
export async function proveFailover(shop: LoadedShop, cluster: Cluster, scale: Scale): Promise<Finding[]> {
  const lost = await losePrimaries(shop, cluster, scale)
  const more = scale.isShort
    ? []
    : [...(await loseTwo(shop, cluster, scale)), ...(await crashPrimary(shop, cluster, scale))]
  return [...lost, ...more, ...(await movePrimary(shop, cluster, scale))]
}
