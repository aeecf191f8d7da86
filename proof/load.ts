import { setTimeout as sleep } from 'node:timers/promises'
import { startDatabase } from './database.ts'
import { atMost, type Finding, figure, holds, type Part, type Scale } from './findings.ts'
import { metric, onStage, type Stage } from './load/run.ts'
import { p99, stayBusy } from './load/steady.ts'
import { type Answered, hasFailed, isShed, startTraffic } from './load/traffic.ts'
import { untilDrained } from './load/verify.ts'

const IDLE_PER_SECOND = 5
const RISE = 1.3
const RATE_MAX = 5000
/** At this many times the value of an idle service, the 99th percentile says that it has enough to do. */
const TIMES_IDLE = 10
const BEYOND = 2
const STEADY = 0.7
const SLOPE_MB_MAX = 0.5
const STABLE = 1.5

/** The first rate, and how long each step lasts, in seconds. */
type Steps = { from: number; idle: number; rate: number; beyond: number; steady: number; sampleEvery: number }

const SHORT: Steps = { from: 20, idle: 1, rate: 1, beyond: 2, steady: 3, sampleEvery: 0.2 }
/** A rate lasts a minute, because that often PostgreSQL looks for what it has to vacuum. */
const LONG: Omit<Steps, 'steady'> = { from: 100, idle: 40, rate: 60, beyond: 30, sampleEvery: 5 }

async function run(stage: Stage, perSecond: number, seconds: number): Promise<Answered[]> {
  const traffic = startTraffic(stage.requests, perSecond)
  await sleep(seconds * 1000)
  await traffic.stop()
  return traffic.answered
}

/**
 * Rises until the 99th percentile is so many times that of an idle service, or requests are refused, twice: once may be something
 * else that the machine did.
 */
async function findLimit(stage: Stage, idleMs: number, { from, rate: seconds }: Steps, { onProgress, isShort }: Scale) {
  const isTooMuch = async (rate: number) => {
    const answers = await run(stage, rate, seconds)
    const [ms, shed] = [p99(answers), answers.filter(isShed).length]
    onProgress(`${rate.toFixed(0)} a second: p99 ${ms.toFixed(0)} ms, ${shed} refused`)
    return ms > TIMES_IDLE * idleMs || shed > 0
  }
  for (let rate = from; rate < RATE_MAX; rate *= RISE) {
    const isOver = await isTooMuch(rate)
    if (isShort || (isOver && (await isTooMuch(rate)))) return rate
  }
  return RATE_MAX
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

function untilAllServed(stage: Stage): Promise<number> {
  return secondsOf(async () => {
    while ((await metric(stage, 'licet_shedding_level')) > 0) await sleep(50)
  })
}

const shareOf = (answers: readonly Answered[], kinds: readonly Answered['kind'][]) => {
  const those = answers.filter(({ kind }) => kinds.includes(kind))
  return those.length === 0 ? 0 : (100 * those.filter(isShed).length) / those.length
}

/** Its short form is proof/load.test.ts. */
export const load: Part = {
  title: 'Load',
  about: `The mix of a working shop (60 % reads of the API, 25 % pages, 5 % orders through the API and at the checkout, 5 % questions
about rights and uses, 5 % lists of the admin interface) comes at rising rates of a minute each, whether or not what came before was
answered, until the 99th percentile is ten times that of an idle service. Then twice as much comes, and 70 % of it for a while, as soon
as everything is done that the overload has left. Service, worker, PostgreSQL and the load share one machine. If that is a virtual one,
its host takes its processors away now and then: what is refused or slow in the half minute after more than 5 % of their time was taken
is told apart. Guests pay at a server that speaks Mollie's API, and one product is soon sold out. At the end, a ledger that the load
keeps by itself and that of the gateway are compared with what is stored: orders, charges, payments, invoices and their numbers,
entitlements, events, counts, stock and uses.`,
  async prove(scale) {
    const { isShort, minutes } = scale
    const steps = isShort ? SHORT : { ...LONG, steady: minutes * 60 }
    const size = isShort ? { films: 3, customers: 2, rare: 3 } : { films: 200, customers: 5000, rare: 200 }
    return onStage(await startDatabase(), size, (stage) => prove(stage, steps, scale))
  },
}

async function prove(stage: Stage, steps: Steps, scale: Scale): Promise<Finding[]> {
  if (!scale.isShort) await run(stage, IDLE_PER_SECOND, steps.idle)
  const idleMs = p99(await run(stage, IDLE_PER_SECOND, steps.idle))
  scale.onProgress(`idle: p99 ${idleMs.toFixed(0)} ms`)
  const limit = await findLimit(stage, idleMs, steps, scale)
  const beyond = await run(stage, limit * BEYOND, steps.beyond)
  const recovery = await untilAllServed(stage)
  const caughtUp = await secondsOf(() => untilDrained(stage.store.db))
  scale.onProgress(
    `nothing refused after ${recovery.toFixed(0)} s, nothing left to do after ${caughtUp.toFixed(0)} more`,
  )
  const { answers, undisturbed, stolen, slopeMb, mostMb, early, late } = await stayBusy(
    stage,
    { perSecond: limit * STEADY, seconds: steps.steady, sampleEvery: steps.sampleEvery },
    scale.onProgress,
  )
  const mistakes = await stage.settle()
  for (const answer of [...beyond, ...answers].filter(hasFailed))
    scale.onProgress(`failed: ${answer.kind}, ${answer.status ?? 'no answer'}, ${answer.ms.toFixed(0)} ms`)
  for (const { what, found, expected } of mistakes)
    scale.onProgress(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  const judged: Finding[] = [
    atMost('Growth of memory at 70 %, after garbage collection', slopeMb, SLOPE_MB_MAX, 'MB per minute'),
    atMost('99th percentile of the last third, in those of the first', late / early, STABLE, ''),
    atMost('Failed at 70 %', answers.filter(hasFailed).length, 0, 'requests'),
    atMost('Refused at 70 % while the processors were there', undisturbed.filter(isShed).length, 0, 'requests'),
  ]
  return [
    figure('99th percentile at 5 requests a second', idleMs, 'ms'),
    figure('Requests a second at ten times that', limit, ''),
    figure(
      'At twice as many: refused of API reads, pages and admin',
      shareOf(beyond, ['api read', 'page', 'admin']),
      '%',
    ),
    figure(
      'At twice as many: refused of orders, checkouts and rights',
      shareOf(beyond, ['order', 'checkout', 'right']),
      '%',
    ),
    figure('At twice as many: 99th percentile of what was answered', p99(beyond), 'ms'),
    figure('At twice as many: failed', beyond.filter(hasFailed).length, 'requests'),
    figure('Until nothing was refused any more', recovery, 's'),
    figure('Until nothing was left to do for the worker then', caughtUp, 's'),
    figure('Most memory of the service at 70 %', mostMb, 'MB'),
    figure('Minutes at 70 %', steps.steady / 60, ''),
    figure('Requests at 70 %', answers.length, ''),
    figure('Time that processors worked for other machines meanwhile', stolen, 's'),
    figure('Requests at 70 % when they did so, or soon after', answers.length - undisturbed.length, ''),
    figure('Refused of those', answers.filter(isShed).length - undisturbed.filter(isShed).length, ''),
    ...(scale.isShort ? [] : judged),
    figure('Orders asked for', stage.ledger.orders.length, ''),
    figure('Orders answered with success', stage.ledger.orders.filter(({ fate }) => fate === 'done').length, ''),
    holds('Everything that is stored is as the ledger says', mistakes.length === 0),
  ]
}
