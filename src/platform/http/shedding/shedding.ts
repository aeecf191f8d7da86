import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Db } from '../../db/database.ts'
import { queuesOf } from '../../db/queues.ts'
import { serviceOverloaded } from '../../errors/errors.ts'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../log/metrics.ts'
import { createLoopDelay, createQueueDelay, type Delay } from './delays.ts'
import { createLevel, type Priority } from './level.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** When the route is refused if there is too much to do. See `usualPriority` for what it is if a route does not say. */
    priority?: Priority
  }
}

export type Shedding = {
  /** Requests are refused while everything that comes has to wait for so long; 0 refuses none. */
  delayMsMax: number
  /** What everything has to wait for, by name. Tests bring a wait of their own. */
  delays?: Readonly<Record<string, Delay>>
}

type Options = { shedding: Shedding; db: Db; reads: Db; log: Log; metrics: Metrics }

const LOOK_MS = 100

/** Clients that are refused together do not come back together. */
const RETRY_SECONDS = [2, 3, 4, 5, 6]

/**
 * Refuses requests while there is more to do than can be done, so that those that are not refused are answered soon. What is
 * measured is how long work waits for the event loop and for the database, and not how much there is of it: how much is
 * too much depends on the machine.
 */
export function shedLoad(app: FastifyInstance, { shedding, db, reads, log, metrics }: Options): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, priority: route.config?.priority ?? usualPriority(route) }
  })
  if (shedding.delayMsMax === 0) return
  const level = createLevel(shedding.delayMsMax)
  const delays = shedding.delays ?? measuredDelays(db, reads)
  const measured = metrics.shedding(Object.keys(delays), level.now)
  let refusals = 0

  function look(nowMs: number, elapsedMs: number): void {
    const waits = Object.entries(delays).map(([name, delay]): [string, number] => [name, delay(nowMs)])
    for (const [name, ms] of waits) measured.waited(name, ms / 1000)
    level.adjust(Math.max(...waits.map(([, ms]) => ms)), elapsedMs)
    if (level.now() > 0 || refusals === 0) return
    log.info({ refusals }, 'no more requests are refused')
    refusals = 0
  }

  function note(priority: Priority): void {
    measured.refused(priority)
    if (refusals === 0) log.warn('there is more to do than can be done: requests are refused, cheap ones first')
    refusals += 1
  }

  let lookedAt = performance.now()
  const looking = setInterval(() => {
    const now = performance.now()
    look(now, now - lookedAt)
    lookedAt = now
  }, LOOK_MS).unref()
  app.addHook('onClose', async () => clearInterval(looking))

  app.addHook('onRequest', (request, _reply, done) => {
    if (level.now() === 0) return done()
    const priority = priorityOf(request)
    if (priority === 'always' || !level.refuses(priority)) return done()
    note(priority)
    done(serviceOverloaded(RETRY_SECONDS[refusals % RETRY_SECONDS.length] ?? 1))
  })
}

function measuredDelays(db: Db, reads: Db): Record<string, Delay> {
  return {
    event_loop: createLoopDelay(LOOK_MS, performance.now()),
    reads: createQueueDelay(queuesOf(reads)),
    changes: createQueueDelay(queuesOf(db)),
  }
}

/** What nobody has declared: reading goes before changing, and many things before a single one. */
function usualPriority({ method, url }: RouteOptions): Priority {
  if ([method].flat().some((name) => name !== 'GET' && name !== 'HEAD')) return 'normal'
  return url.includes('/:') && url.endsWith('.json') ? 'normal' : 'low'
}

/** A missing address costs no more than a refusal. Whoever has a cookie is in the middle of something. */
function priorityOf({ is404, routeOptions, headers }: FastifyRequest): Priority {
  if (is404) return 'always'
  const { priority = 'low' } = routeOptions.config
  return priority === 'low' && headers.cookie !== undefined ? 'normal' : priority
}
