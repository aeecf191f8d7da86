import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, nowInSeconds } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { idempotencyKey, once } from './idempotency.ts'

/** Does the change and answers the body that tells of it, as JSON text. */
export type Work = (tx: Tx) => Promise<string>

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs a change in the request's one transaction and answers what it answered. */
    write(request: FastifyRequest, reply: FastifyReply, work: Work): Promise<string>
  }
}

export function addWrite(app: FastifyInstance, db: Db, clock: Clock): void {
  app.decorate('write', async (request: FastifyRequest, reply: FastifyReply, work: Work) => {
    const key = idempotencyKey(request)
    if (key === undefined) return inTransaction(db, work)
    return inTransaction(db, (tx) => once(tx, request, reply, key, nowInSeconds(clock), work))
  })
}
