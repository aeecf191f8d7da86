import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Db } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { answerBrokenRequest, createFrameworkErrors, handleErrors } from './errors.ts'
import { addHealth } from './health.ts'
import { createRequestLog } from './request-log.ts'

export type ProbesOptions = { reads: Db; log: Log; metrics: Metrics; metricsToken: string | undefined }

/** What a process that serves nobody answers to those who watch it: whether it lives, whether it can work, and its metrics. */
export function createProbes({ reads, log, metrics, metricsToken }: ProbesOptions): FastifyInstance {
  const nowhere = () => undefined
  const app = Fastify({
    loggerInstance: createRequestLog(log, []),
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 10_000,
    forceCloseConnections: true,
    frameworkErrors: createFrameworkErrors(() => false, nowhere),
    clientErrorHandler: answerBrokenRequest,
  } as never) as unknown as FastifyInstance
  app.decorate('isStopping', false)
  handleErrors(app, nowhere, nowhere)
  addHealth(app, reads, metrics, metricsToken)
  return app
}
