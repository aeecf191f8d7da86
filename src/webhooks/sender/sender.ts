import { setTimeout as sleep } from 'node:timers/promises'
import { EVENTS_CHANNEL } from '#events/emit.ts'
import { isDatabaseAway } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { createSemaphore } from '#platform/semaphore.ts'
import { DELIVERIES_CHANNEL } from '../commands.ts'
import { createTryDelivery, type TryDelivery } from './attempt.ts'
import { type Claimed, claimWebhooks, type DueDelivery, findLost, readDue, renewLateLeases } from './claims.ts'
import { dispatchEvents } from './dispatch.ts'
import { createRecorder } from './recorder.ts'
import { type Round, runRound } from './round.ts'
import { createSlots, type SlotsOptions } from './slots.ts'

const POLL_MS = 1000

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

/** Failures are recorded so many at a time. */
const RECORDING_MAX = 3

/** Turns events into deliveries, and sends them. */
export function createSender(dependencies: WorkDependencies, places: SlotsOptions = PLACES): Loop {
  const { db, clock, log, metrics, notices } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  const slots = createSlots(places)
  const attempt = createTryDelivery(dependencies)
  const tryDelivery: TryDelivery = async (webhook, delivery) => {
    const result = await attempt(webhook, delivery)
    metrics.posted(result.code ?? 'acknowledged')
    return result
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
  let lastCompany = 0
  let polling: Promise<void> = Promise.resolve()

  /** Returns whether there may be more events. */
  async function dispatch(): Promise<boolean> {
    const from = lastCompany
    const dispatched = await inTransaction(db, (tx) => dispatchEvents(tx, from, clock.now()))
    lastCompany = dispatched.lastCompany
    return dispatched.events > 0 || from > 0
  }

  const dispatchAll = singly(async () => {
    while (!signal.aborted && (await dispatch())) if (isStarted) fill()
  })

  function begin(rounds: Map<Round, Promise<void>>, round: Round, parallelMax: number): void {
    const what = `webhooks ${round.webhooks.map(({ id }) => id).join(', ')}`
    const ended = survive(what, () => runRound({ ...shared, parallelMax }, round)).then(() => {
      rounds.delete(round)
      if (isStarted) fill()
    })
    rounds.set(round, ended)
  }

  async function claimWorking(): Promise<number> {
    const limit = Math.min(slots.free(), ROUNDS_MAX - working.size)
    if (limit <= 0) return 0
    const now = clock.now()
    const { quickPerCompanyMax: perCompanyMax, quickMax } = places
    const fullCompanies = [...slots.fullCompanies(), ...companiesWith(working, perCompanyMax)]
    const taken = await claimWebhooks(db, { now, limit, isFailing: false, perCompanyMax, fullCompanies })
    if (taken.length === 0) return 0
    const each = Math.max(READ_PER_WEBHOOK_MIN, Math.min(READ_PER_WEBHOOK_MAX, Math.floor(READ_MAX / taken.length)))
    const due = await readDue(db, taken, now, each)
    const receivers = byReceiver(await renewLateLeases(db, taken, now, clock.now()))
    const share = Math.floor((2 * quickMax) / (working.size + receivers.length))
    const parallelMax = Math.max(PARALLEL_MIN, Math.min(PARALLEL_MAX, share))
    for (const webhooks of receivers) begin(working, roundOf(webhooks, due, each), parallelMax)
    return taken.length
  }

  async function claimFailing(): Promise<number> {
    const limit = FAILING_MAX - failing.size
    if (limit <= 0) return 0
    const now = clock.now()
    const perCompanyMax = FAILING_PER_COMPANY_MAX
    const fullCompanies = companiesWith(failing, perCompanyMax)
    const taken = await claimWebhooks(db, { now, limit, isFailing: true, perCompanyMax, fullCompanies })
    if (taken.length === 0) return 0
    const due = await readDue(db, taken, now, 1)
    for (const webhooks of byReceiver(await renewLateLeases(db, taken, now, clock.now()))) {
      const deliveries = webhooks.flatMap(({ id }) => due.get(id) ?? [])
      const unread = new Set(deliveries.map(({ webhook_id }) => webhook_id))
      begin(failing, { webhooks, deliveries, unread, isFailing: true }, webhooks.length)
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
    while (!signal.aborted && (await claimWorking()) > 0);
  })
  const fillFailing = singly(async () => {
    while (!signal.aborted && (await claimFailing()) > 0);
  })

  function fill(): void {
    void survive('webhooks', fillWorking)
    void survive('failing webhooks', fillFailing)
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
      await survive('events', dispatchAll)
      fill()
      await survive('leases', checkLeases)
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  notices.on(EVENTS_CHANNEL, () => {
    if (isStarted) void survive('events', dispatchAll)
  })
  notices.on(DELIVERIES_CHANNEL, () => {
    if (!isStarted) return
    fill()
    void survive('leases', checkLeases)
  })

  return {
    async runDue() {
      let done = 0
      while (await dispatch()) done += 1
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
      await Promise.all([dispatchAll(), fillWorking(), fillFailing()].map((last) => last.catch(() => {})))
      await Promise.all([...working.values(), ...failing.values()])
    },
  }
}

function byReceiver(claimed: readonly Claimed[]): Claimed[][] {
  return [...Map.groupBy(claimed, ({ company_id, receiver }) => `${company_id} ${receiver}`).values()]
}

/** The companies that have so many rounds under way. */
function companiesWith(rounds: ReadonlyMap<Round, unknown>, count: number): number[] {
  const companies = Map.groupBy(rounds.keys(), ({ webhooks }) => webhooks[0]?.company_id ?? 0)
  return [...companies].filter(([, ofCompany]) => ofCompany.length >= count).map(([id]) => id)
}

/**
 * What was read for the webhooks of one receiver. Of a webhook that has more, the rest is not known, so others get nothing
 * that is younger than what was read of it.
 */
function roundOf(webhooks: Claimed[], due: ReadonlyMap<number, DueDelivery[]>, limit: number): Round {
  const read = webhooks.map(({ id }) => due.get(id) ?? [])
  const horizon = Math.min(...read.filter(({ length }) => length === limit).map(lastId))
  const all = read.flat()
  const deliveries = all.filter(({ id }) => id <= horizon)
  const later = all.filter(({ id }) => id > horizon)
  const cut = read.filter(({ length }) => length === limit).flat()
  return {
    webhooks,
    deliveries,
    unread: new Set([...later, ...cut].map(({ webhook_id }) => webhook_id)),
    isFailing: false,
  }
}

/** The youngest of those that were not tried before; they are read first, in the order of their ids. */
function lastId(deliveries: readonly DueDelivery[]): number {
  const untried = deliveries.filter(({ failures }) => failures === 0)
  return Math.max(...(untried.length > 0 ? untried : deliveries).map(({ id }) => id))
}

/** Runs work once at a time: who asks while it runs gets another run after it. */
function singly(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  const start = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    following ??= running
      .catch(() => {})
      .then(() => {
        following = undefined
        return start()
      })
    return following
  }
}
