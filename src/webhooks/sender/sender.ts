import { setTimeout as sleep } from 'node:timers/promises'
import { takeNewEvents } from '#events/dispatch.ts'
import { EVENTS_CHANNEL } from '#events/emit.ts'
import { isDatabaseAway } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { DELIVERIES_CHANNEL } from '../commands.ts'
import { analyzeFirstDeliveries, queueDeliveries } from '../deliveries/commands.ts'
import { followSyncUrl } from '../sync/commands.ts'
import { createTryDelivery, type TryDelivery } from './attempt.ts'
import { type Claimed, claimWebhooks, readDue } from './claims.ts'
import { createRecorder } from './recorder.ts'
import { runRound } from './round.ts'
import { createSlots, type Slots, type SlotsOptions } from './slots.ts'

const POLL_MS = 1000

/** Events of one transaction: enough to make its cost small, few enough for a short one. */
const EVENTS_MAX = 1000

/**
 * Requests to receivers that work. No company has more than half of the places. An answer that takes longer than a second
 * no longer keeps one of them.
 */
export const PLACES: SlotsOptions = { quickMax: 256, quickPerCompanyMax: 128, slowAfterMs: 1000, slowMax: 2000 }

/**
 * Requests to one webhook at the same time. Among many webhooks there are places for few of each, and connections that
 * would be opened for more would only be too many to keep.
 */
const PARALLEL_MAX = 20
const PARALLEL_MIN = 4

/** Receivers that are failing are tried with one event at a time, in places of their own. */
const FAILING_MAX = 500
const FAILING_PER_COMPANY_MAX = 250

/** Deliveries that are read at once, of all webhooks together and of one. */
const READ_MAX = 5000
const READ_PER_WEBHOOK_MAX = 1000
const READ_PER_WEBHOOK_MIN = 20

/** Turns events into deliveries, and sends them. */
export function createSender(dependencies: WorkDependencies, places: SlotsOptions = PLACES): Loop {
  const { db, clock, log, metrics, notices } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  const slots = createSlots(places)
  const attempt = createTryDelivery(dependencies)
  const recorder = createRecorder(db, clock)
  const tryDelivery: TryDelivery = async (webhook, delivery) => {
    const result = await attempt(webhook, delivery)
    metrics.posted(result.code ?? 'acknowledged')
    return result
  }
  const shared = { db, clock, recorder, tryDelivery, isStopping: () => signal.aborted }
  const rounds = new Set<Promise<void>>()
  const failingOf = new Map<number, number>()
  let failing = 0
  let isStarted = false
  let hasStatistics = false
  let polling: Promise<void> = Promise.resolve()

  async function dispatch(): Promise<number> {
    const now = clock.now()
    const { count, concerned } = await inTransaction(db, async (tx) => {
      const events = await takeNewEvents(tx, EVENTS_MAX)
      const concerned = events.length > 0 ? await queueDeliveries(tx, { events, now }) : 0
      for (const { topic, company_id, data } of events)
        if (topic === 'app/update') await followSyncUrl(tx, company_id, Number(data.id), now)
      return { count: events.length, concerned }
    })
    if (concerned > 0 && !hasStatistics) {
      await analyzeFirstDeliveries(db)
      hasStatistics = true
    }
    return count
  }

  const dispatchAll = singly(async () => {
    for (let count = await dispatch(); count > 0 && !signal.aborted; count = await dispatch()) if (isStarted) fill()
  })

  function begin(webhook: Claimed, work: () => Promise<void>): void {
    const round = survive(`webhook ${webhook.id}`, work).then(() => {
      rounds.delete(round)
      if (isStarted) fill()
    })
    rounds.add(round)
  }

  async function claimWorking(): Promise<number> {
    const limit = slots.free()
    if (limit === 0) return 0
    const now = clock.now()
    const fullCompanies = slots.fullCompanies()
    const claimed = await claimWebhooks(db, {
      now,
      limit,
      isFailing: false,
      perCompanyMax: places.quickPerCompanyMax,
      fullCompanies,
    })
    if (claimed.length === 0) return 0
    const each = Math.max(READ_PER_WEBHOOK_MIN, Math.min(READ_PER_WEBHOOK_MAX, Math.floor(READ_MAX / claimed.length)))
    const due = await readDue(db, claimed, now, each)
    const share = Math.floor((2 * places.quickMax) / (rounds.size + claimed.length))
    const parallelMax = Math.max(PARALLEL_MIN, Math.min(PARALLEL_MAX, share))
    const options = { ...shared, parallelMax, inPlace: slots.run }
    for (const webhook of claimed) {
      const deliveries = due.get(webhook.id) ?? []
      begin(webhook, () => runRound(options, webhook, deliveries, deliveries.length === each))
    }
    return claimed.length
  }

  async function claimFailing(): Promise<number> {
    const limit = FAILING_MAX - failing
    if (limit === 0) return 0
    const now = clock.now()
    const fullCompanies = [...failingOf].filter(([, count]) => count >= FAILING_PER_COMPANY_MAX).map(([id]) => id)
    const claimed = await claimWebhooks(db, {
      now,
      limit,
      isFailing: true,
      perCompanyMax: FAILING_PER_COMPANY_MAX,
      fullCompanies,
    })
    if (claimed.length === 0) return 0
    const due = await readDue(db, claimed, now, 1)
    const options = { ...shared, parallelMax: 1, inPlace: runAtOnce }
    for (const webhook of claimed) {
      const { company_id } = webhook
      const deliveries = due.get(webhook.id) ?? []
      failing += 1
      failingOf.set(company_id, (failingOf.get(company_id) ?? 0) + 1)
      begin(webhook, async () => {
        try {
          await runRound(options, webhook, deliveries, deliveries.length > 0)
        } finally {
          failing -= 1
          const left = (failingOf.get(company_id) ?? 0) - 1
          if (left > 0) failingOf.set(company_id, left)
          else failingOf.delete(company_id)
        }
      })
    }
    return claimed.length
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
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  notices.on(EVENTS_CHANNEL, () => {
    if (isStarted) void survive('events', dispatchAll)
  })
  notices.on(DELIVERIES_CHANNEL, () => {
    if (isStarted) fill()
  })

  return {
    async runDue() {
      let done = 0
      for (let count = await dispatch(); count > 0; count = await dispatch()) done += count
      for (;;) {
        const count = (await claimWorking()) + (await claimFailing())
        if (count === 0 && rounds.size === 0) return done
        done += count
        await Promise.all(rounds)
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
      await Promise.all(rounds)
    },
  }
}

/** Failing receivers were given their places when they were claimed. */
const runAtOnce: Slots['run'] = (_companyId, request) => request()

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
