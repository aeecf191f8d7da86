import '@fastify/swagger'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { readSchemaState } from '../db/migrations/migrate.ts'
import {
  databaseTooNew,
  databaseUnavailable,
  metricsTokenRequired,
  migrationsMissing,
  serviceStopping,
} from '../errors/errors.ts'
import { sameBytes } from '../identity/crypto.ts'
import type { Metrics } from '../log/metrics.ts'

const READY_MS = 2000

const hidden = { schema: { hide: true }, config: { public: true, priority: 'always' } } as const

/** Routes for monitoring: liveness, readiness and metrics. */
export function addHealth(app: FastifyInstance, db: Db, metrics: Metrics, metricsToken: string | undefined): void {
  app.get('/health', hidden, async () => ({ status: 'alive' }))

  app.get('/ready', hidden, async () => {
    if (app.isStopping) throw serviceStopping()
    const { missing, unbearable } = await withinTime(readSchemaState(db))
    if (unbearable.length > 0) throw databaseTooNew(unbearable)
    if (missing.length > 0) throw migrationsMissing(missing)
    return { status: 'ready' }
  })

  app.get('/metrics', hidden, async (request, reply) => {
    if (metricsToken !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw metricsTokenRequired()
    }
    return reply.type(metrics.contentType).send(await metrics.read())
  })
}

/** Whoever watches the service wants an answer soon: a database that takes longer counts as away. */
async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const timer = new AbortController()
  const late = sleep(READY_MS, undefined, { signal: timer.signal }).then(() => {
    throw databaseUnavailable()
  })
  try {
    // If one of them fails after the other has ended, nobody needs to know.
    return await Promise.race([work, late])
  } finally {
    timer.abort()
  }
}

function sameText(a: string, b: string): boolean {
  return sameBytes(Buffer.from(a), Buffer.from(b))
}
