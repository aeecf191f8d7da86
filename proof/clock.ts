import { setTimeout as sleep } from 'node:timers/promises'
import { atCleanUp } from '#bench/processes.ts'
import { createSetClock, type SetClock } from './clock/machine-clock.ts'
import { startDatabase } from './database.ts'
import { atMost, type Finding, figure, holds, type Part, type Scale } from './findings.ts'
import { onStage, type Stage } from './load/run.ts'
import { isShed, startTraffic } from './load/traffic.ts'
import { untilReady } from './load/until-ready.ts'
import { type MoodyReceiver, startReceiver } from './partners/receiver.ts'
import { compareEvents, patienceMs, subscribe, untilLeft } from './partners/verify.ts'

const HOUR_MS = 3_600_000
/** A lease of a worker that was killed, a pause of a failing webhook, and the time in which a jump is noticed. */
const SETTLED_SECONDS_MAX = 300
const ROUNDS_MAX = 20

type Times = { perSecond: number; aheadMs: number; backMs: number }

const LONG: Times = { perSecond: 20, aheadMs: 10_000, backMs: 20_000 }
const SHORT: Times = { perSecond: 10, aheadMs: 1500, backMs: 500 }

/** Its short form is proof/clock.test.ts. */
export const clock: Part = {
  title: 'A clock that jumps under load',
  about: `While the mix of a working shop comes, the clock of the service and of the worker is set an hour ahead and then back again, and that
of PostgreSQL stays, as if it were on another machine. Before the clock goes back, the receiver of an app fails and the worker is killed, so
that pauses and leases end in an hour that is not there any more. The ledgers of the load and of the gateway are compared with what is
stored, and nothing may wait for the time that the clock has left.`,
  async prove(scale) {
    const set = await createSetClock()
    const receiver = await startReceiver()
    atCleanUp(async () => receiver.server.stop())
    const size = scale.isShort ? { films: 2, customers: 2, rare: 3 } : { films: 5, customers: 10, rare: 100 }
    const options = { ...size, pressesMax: 3, settings: set.settings }
    return onStage(await startDatabase(), options, (stage) => prove(stage, set, receiver, scale))
  },
}

async function prove(stage: Stage, set: SetClock, receiver: MoodyReceiver, scale: Scale): Promise<Finding[]> {
  const { isShort } = scale
  const times = isShort ? SHORT : LONG
  const rounds = isShort ? 1 : Math.min(scale.rounds, ROUNDS_MAX)
  await subscribe(stage, receiver.server.url)
  const traffic = startTraffic(stage.requests, times.perSecond)
  const more = [startTraffic(stage.requests, 2, 'order'), startTraffic(stage.requests, 0.5, 'checkout')]
  for (let round = 1; round <= rounds; round += 1) {
    await set.setAhead(HOUR_MS)
    await sleep(times.aheadMs)
    // What waits for a minute or two takes as long in the short form, so nothing does there.
    if (!isShort) receiver.server.become('fails')
    await sleep(times.aheadMs)
    if (!isShort) await stage.worker.killAndRestart()
    await set.setAhead(0)
    receiver.server.become('works')
    await sleep(times.backMs)
    await untilReady(stage)
    scale.onProgress(`${round} jumps ahead and back, ${stage.ledger.orders.length} orders asked for`)
  }
  await Promise.all([traffic, ...more].map(({ stop }) => stop()))
  const started = performance.now()
  await stage.gateway.told()
  await untilLeft(stage.store.db, stage.shop.companyId, patienceMs(scale))
  const settledSeconds = (performance.now() - started) / 1000
  const events = await compareEvents(stage.store.db, stage.shop.companyId, { 'was there': receiver })
  const mistakes = [...(await stage.settle()), ...events.mistakes]
  for (const { what, found, expected } of mistakes)
    scale.onProgress(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  const answered = [traffic, ...more].flatMap((each) => each.answered)
  const settled = 'Until nothing was left to do after the last jump back'
  const defects = answered.filter(({ status }) => status === 500)
  return [
    figure('Jumps of an hour, ahead and back', rounds, ''),
    figure('Requests', answered.length, ''),
    figure('Refused with 503 or 429', answered.filter(isShed).length, 'requests'),
    holds('No request was answered as a defect', defects.length === 0),
    figure('Orders answered with success', stage.ledger.orders.filter(({ fate }) => fate === 'done').length, ''),
    figure('Events for the receiver', events.events, ''),
    isShort ? figure(settled, settledSeconds, 's') : atMost(settled, settledSeconds, SETTLED_SECONDS_MAX, 's'),
    holds('Everything that is stored is as the ledger says', mistakes.length === 0),
  ]
}
