import { hasNewEvents } from '#history/events/dispatch.commands.ts'
import { EVENTS_CHANNEL } from '#history/events/emit.commands.ts'
import { isDatabaseAway } from '#platform/db/database.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import { pause as pauseFor } from '#platform/pause.ts'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { traced } from '#platform/tracing/trace.ts'
import { DELIVERIES_CHANNEL } from '../commands.ts'
import { createTryDelivery, type TryDelivery } from './attempt.worker.ts'
import {
  type Claimed,
  claimWebhooks,
  type DueDelivery,
  type DueKinds,
  findDueKinds,
  findLost,
  readDue,
  renewLateLeases,
} from './claims.commands.ts'
import { createDispatcher, type Pause } from './dispatcher.worker.ts'
import { byReceiver, companiesWith, roundOf } from './receivers.rules.ts'
import { createRecorder } from './recorder.worker.ts'
import { type Round, runRound } from './round.worker.ts'
import { singly } from './singly.worker.ts'
import { createSlots, type SlotsOptions } from './slots.worker.ts'

export const POLL_MS = 1000

/**
 * Requests to receivers that work. No company has more than half of the places. An answer that takes longer than a second
 * no longer keeps one of them.
 */
export const PLACES: SlotsOptions = {
  quickMax: 256,
  quickPerCompanyMax: 128,
  slowAfterMs: 1000,
  slowMax: 2000,
  perHostMax: 32,
  perHostAndCompanyMax: 24,
}

/** Receivers that are claimed at a time: they may all wait for the same slow host. */
const ROUNDS_MAX = 1000

/**
 * Requests to one receiver at the same time. Among many receivers there are places for few of each, and connections that
 * would be opened for more would only be too many to keep.
 */
const PARALLEL_MAX = 20
const PARALLEL_MIN = 4

/** Webhooks that are failing are tried with one event at a time, in places of their own. */
const FAILING_MAX = 500
const FAILING_PER_COMPANY_MAX = 250

/** Deliveries that are read at once, of all webhooks together and of one. */
const READ_MAX = 5000
const READ_PER_WEBHOOK_MAX = 1000
const READ_PER_WEBHOOK_MIN = 20

/** A claim that has found fewer receivers has found all that may be claimed: it looks at many more candidates. */
const FEW_RECEIVERS = 20

/** Failures are recorded so many at a time. */
const RECORDING_MAX = 3

export type SenderOptions = {
  places?: SlotsOptions
  pause?: Pause
  /** The company whose clock is being moved: this sender does its work, and all others leave it alone. */
  only?: number
}

/** Turns events into deliveries, and sends them. */
export function createSender(
  dependencies: WorkDependencies,
  { places = PLACES, pause = pauseFor, only }: SenderOptions = {},
): Loop {
  const { db, clock, log, metrics, notices } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  const others = () => (only === undefined ? clock.own.moving() : [])
  const slots = createSlots(places)
  const attempt = createTryDelivery(dependencies)
  const tryDelivery: TryDelivery = async (webhook, delivery) => {
    const options = { kind: 'client', parent: delivery.traceParent, attributes: attributesOf(delivery) } as const
    return traced(`webhook ${delivery.topic}`, options, async (span) => {
      const result = await attempt(webhook, delivery)
      metrics.posted(result.code ?? 'acknowledged')
      if (result.status !== null) span?.set({ 'http.response.status_code': result.status })
      if (result.code !== null) span?.fail(result.code)
      return result
    })
  }
  /** The rounds under way. */
  const working = new Map<Round, Promise<void>>()
  const failing = new Map<Round, Promise<void>>()
  const lost = new WeakSet<Claimed>()
  const shared = {
    db,
    clock,
    recorder: createRecorder(db, clock),
    tryDelivery,
    slots,
    recordOne: createSemaphore(RECORDING_MAX),
    isStopping: () => signal.aborted,
    isLost: (webhook: Claimed) => lost.has(webhook),
  }
  let isStarted = false
  let polling: Promise<void> = Promise.resolve()
  /** Whether more may be due than there were places for. The end of a round makes room for it. */
  const isWaiting = { working: false, failing: false }
  /** How often there was something new to send. A receiver that is leased cannot be claimed for it before its round ends. */
  let news = 0

  const dispatcher = createDispatcher({
    db,
    clock,
    signal,
    pause,
    onDeliveries(dispatched) {
      news += 1
      fillIfStarted(dispatched)
    },
  })

  function begin(rounds: Map<Round, Promise<void>>, round: Round, parallelMax: number, knownNews: number): void {
    const what = `webhooks ${round.webhooks.map(({ id }) => id).join(', ')}`
    const ended = survive(what, async () => {
      const isDueAgain = await runRound({ ...shared, parallelMax }, round)
      rounds.delete(round)
      const mayBeDue = isDueAgain || news !== knownNews
      // A receiver that was failing may work by now.
      fillIfStarted({
        hasWorking: mayBeDue || isWaiting.working,
        hasFailing: (mayBeDue && round.isFailing) || isWaiting.failing,
      })
    })
    rounds.set(round, ended)
    void ended.then(() => rounds.delete(round))
  }

  async function claimWorking(): Promise<number> {
    const limit = Math.min(slots.free(), ROUNDS_MAX - working.size)
    isWaiting.working = limit <= 0
    if (limit <= 0) return 0
    const knownNews = news
    const now = clock.now()
    const { quickPerCompanyMax: perCompanyMax, quickMax } = places
    const fullCompanies = [...slots.fullCompanies(), ...companiesWith(working, perCompanyMax)]
    const left = [...fullCompanies, ...others()]
    const taken = await claimWebhooks(db, { now, limit, isFailing: false, perCompanyMax, fullCompanies: left, only })
    isWaiting.working = fullCompanies.length > 0 || isCut(taken, limit)
    if (taken.length === 0) return 0
    const each = Math.max(READ_PER_WEBHOOK_MIN, Math.min(READ_PER_WEBHOOK_MAX, Math.floor(READ_MAX / taken.length)))
    const due = await readDue(db, taken, now, each)
    const receivers = byReceiver(await renewLateLeases(db, taken, now, clock.now()))
    const share = Math.floor((2 * quickMax) / (working.size + receivers.length))
    const parallelMax = Math.max(PARALLEL_MIN, Math.min(PARALLEL_MAX, share))
    for (const webhooks of receivers) begin(working, roundOf(webhooks, due, each), parallelMax, knownNews)
    return taken.length
  }

  async function claimFailing(): Promise<number> {
    const limit = FAILING_MAX - failing.size
    isWaiting.failing = limit <= 0
    if (limit <= 0) return 0
    const knownNews = news
    const now = clock.now()
    const perCompanyMax = FAILING_PER_COMPANY_MAX
    const fullCompanies = companiesWith(failing, perCompanyMax)
    const left = [...fullCompanies, ...others()]
    const taken = await claimWebhooks(db, { now, limit, isFailing: true, perCompanyMax, fullCompanies: left, only })
    isWaiting.failing = fullCompanies.length > 0 || isCut(taken, limit)
    if (taken.length === 0) return 0
    const due = await readDue(db, taken, now, 1)
    for (const webhooks of byReceiver(await renewLateLeases(db, taken, now, clock.now()))) {
      const deliveries = webhooks.flatMap(({ id }) => due.get(id) ?? [])
      const unread = new Set(deliveries.map(({ webhook_id }) => webhook_id))
      begin(failing, { webhooks, deliveries, unread, isFailing: true }, webhooks.length, knownNews)
    }
    return taken.length
  }

  /** Ends the rounds of webhooks that are no longer this worker's. */
  async function checkLeases(): Promise<void> {
    const claimed = [...working.keys(), ...failing.keys()].flatMap(({ webhooks }) => webhooks)
    if (claimed.length === 0) return
    const ids = await findLost(db, claimed)
    for (const webhook of claimed) if (ids.has(webhook.id)) lost.add(webhook)
  }

  const fillWorking = singly(async () => {
    while (!signal.aborted && (await claimWorking()) > 0 && isWaiting.working);
  })
  const fillFailing = singly(async () => {
    while (!signal.aborted && (await claimFailing()) > 0 && isWaiting.failing);
  })

  function fillIfStarted({ hasWorking, hasFailing }: DueKinds): void {
    if (!isStarted) return
    if (hasWorking) void survive('webhooks', fillWorking)
    if (hasFailing) void survive('failing webhooks', fillFailing)
  }

  /** Claims what is due. Where nothing is, as in a service without webhooks, no claim and no lock is made. */
  async function fillDue(): Promise<void> {
    fillIfStarted(await findDueKinds(db, clock.now()))
  }

  async function survive(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseAway(error)) log.warn({ what }, 'the database is away')
      else log.error({ err: error, what }, 'sending webhooks failed')
    }
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await survive('events', async () => {
        if (await hasNewEvents(db)) void survive('events', dispatcher.wake)
      })
      await survive('webhooks', fillDue)
      await survive('leases', checkLeases)
      await pause(POLL_MS, signal)
    }
  }

  const listens = only === undefined ? notices : { on() {} }
  listens.on(EVENTS_CHANNEL, () => {
    if (isStarted) void survive('events', dispatcher.wake)
  })
  listens.on(DELIVERIES_CHANNEL, () => {
    if (!isStarted) return
    news += 1
    void survive('webhooks', fillDue)
    void survive('leases', checkLeases)
  })

  return {
    async runDue() {
      let done = await dispatcher.dispatchAll()
      for (;;) {
        const count = (await claimWorking()) + (await claimFailing())
        if (count === 0 && working.size + failing.size === 0) return done
        done += count
        await Promise.all([...working.values(), ...failing.values()])
      }
    },
    start() {
      isStarted = true
      polling = poll()
    },
    async stop() {
      isStarted = false
      stopping.abort()
      await polling
      await Promise.all([
        survive('events', dispatcher.wake),
        survive('webhooks', fillWorking),
        survive('webhooks', fillFailing),
      ])
      await Promise.all([...working.values(), ...failing.values()])
    },
  }
}

const attributesOf = ({ topic, message_id }: DueDelivery) => ({
  'http.request.method': 'POST',
  'licet.topic': topic,
  'licet.message': message_id,
})

/** Were receivers left out of a claim? */
function isCut(taken: readonly Claimed[], limit: number): boolean {
  return byReceiver(taken).length >= Math.min(limit, FEW_RECEIVERS)
}
