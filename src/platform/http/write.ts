import type { FastifyInstance } from 'fastify'
import { type Clock, nowInSeconds } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Written } from '../wire/written.ts'
import { answerBytes, sendJson, wrap } from './answers/answers.ts'
import { idempotencyKey, once } from './requests/idempotency.ts'
import { createKeyedMutex } from './requests/keyed-mutex.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Runs a change in the request's one transaction and sends the document that it has written, under its key. Without
     * a key the document is the whole response.
     */
    write(
      request: FastifyRequest,
      reply: FastifyReply,
      key: string | undefined,
      change: (tx: Tx) => Promise<Written<unknown>>,
    ): Promise<FastifyReply>
    /** Runs a change for a page or a protocol, in the request's one transaction. */
    change<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
    /** Runs a removal in the request's one transaction and answers `{}`. */
    remove(request: FastifyRequest, reply: FastifyReply, removal: (tx: Tx) => Promise<void>): Promise<FastifyReply>
  }
}

export function addWrite(app: FastifyInstance, db: Db, clock: Clock, fingerprintKey: Buffer): void {
  const withKey = createKeyedMutex()

  app.decorate('write', async (request, reply, name, change) => {
    const key = idempotencyKey(request)
    const work = async (tx: Tx) => {
      const { document } = await change(tx)
      return name === undefined ? document : wrap(name, document)
    }
    const { appId, companyId } = request.caller
    const body =
      key === undefined
        ? await inTransaction(db, work)
        : await withKey(`${appId} ${companyId} ${key}`, () =>
            inTransaction(db, (tx) => once(tx, request, reply, key, fingerprintKey, nowInSeconds(clock), work)),
          )
    return sendJson(reply, answerBytes(request, '', [body], ''))
  })

  app.decorate('change', (change) => inTransaction(db, change))

  app.decorate('remove', async (_request, reply, removal) => {
    await inTransaction(db, removal)
    return sendJson(reply, Buffer.from('{}'))
  })
}
