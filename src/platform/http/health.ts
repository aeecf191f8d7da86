import '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { sameBytes } from '../crypto.ts'
import type { Db } from '../db/database.ts'
import { readSchemaState } from '../db/migrate.ts'
import { databaseTooNew, metricsTokenRequired, migrationsMissing } from '../errors.ts'
import type { Metrics } from '../metrics.ts'

const hidden = { schema: { hide: true }, config: { public: true } } as const

/** Routes for monitoring: liveness, readiness and metrics. */
export function addHealth(app: FastifyInstance, db: Db, metrics: Metrics, metricsToken: string | undefined): void {
  app.get('/health', hidden, async () => ({ status: 'alive' }))

  app.get('/ready', hidden, async () => {
    const { missing, unknown } = await readSchemaState(db)
    if (missing.length > 0) throw migrationsMissing(missing)
    if (unknown.length > 0) throw databaseTooNew(unknown)
    return { status: 'ready' }
  })

  app.get('/metrics', hidden, async (request, reply) => {
    if (metricsToken !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw metricsTokenRequired()
    }
    return reply.type(metrics.contentType).send(await metrics.read())
  })
}

function sameText(a: string, b: string): boolean {
  return sameBytes(Buffer.from(a), Buffer.from(b))
}
