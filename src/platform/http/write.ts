import type { FastifyInstance } from 'fastify'
import { type MachineClock, nowInSeconds } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { asciiJson } from '../wire/times.ts'
import type { Written } from '../wire/written.ts'
import { answerBytes, etagOf, sendJson, wrap } from './answers/answers.ts'
import { type Asked, assertMatch, type Single } from './answers/single.ts'
import { idempotencyKey, once } from './requests/idempotency.ts'
import { createKeyedMutex } from './requests/keyed-mutex.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST that changes what its path names: it obeys `If-Match`, as every PUT does. */
    takesCondition?: true
  }
  interface FastifyInstance {
    /**
     * Runs a change in the request's one transaction and sends the document that it has written, under its key. Without
     * a key the document is the whole response. What has a path of its own is changed only if it matches `If-Match`. Where
     * the change begins something that takes a while, `follow` waits for it after the commit, and its document goes out.
     */
    write<Params>(
      request: FastifyRequest & Asked<Params>,
      reply: FastifyReply,
      what: Single<Params> | string | undefined,
      change: (tx: Tx) => Promise<Written<unknown>>,
      follow?: () => Promise<string>,
    ): Promise<FastifyReply>
    /** Runs a change for a page or a protocol, in the request's one transaction. */
    change<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
    /** Runs a removal in the request's one transaction and answers `{}`. */
    remove<Params>(
      request: FastifyRequest & Asked<Params>,
      reply: FastifyReply,
      what: Single<Params> | undefined,
      removal: (tx: Tx) => Promise<void>,
    ): Promise<FastifyReply>
  }
}

export function addWrite(app: FastifyInstance, db: Db, clock: MachineClock, fingerprintKey: Buffer): void {
  const withKey = createKeyedMutex()

  app.decorate('write', async (request, reply, what, change, follow) => {
    const key = idempotencyKey(request)
    const isPut = request.method === 'PUT'
    const isConditional = isPut || request.routeOptions.config.takesCondition === true
    const single = typeof what === 'object' && isConditional ? what : undefined
    const name = typeof what === 'object' ? what.key : what
    let etag: string | undefined
    const work = async (tx: Tx) => {
      if (single !== undefined) await assertMatch(tx, request, single)
      const { document, warnings } = await change(tx)
      if (name === undefined) return document
      const wrapped = wrap(name, document)
      if (warnings === undefined) return wrapped
      // The ETag is that of the next read, which has no warnings.
      etag = etagOf(answerBytes(request, '', [wrapped], ''))
      return `${wrapped.slice(0, -1)},"warnings":${asciiJson(warnings)}}`
    }
    const { appId, companyId } = request.caller
    const body =
      key === undefined
        ? await inTransaction(db, work)
        : await withKey(`${appId} ${companyId} ${key}`, () =>
            inTransaction(db, (tx) => once(tx, request, reply, key, fingerprintKey, nowInSeconds(clock), work)),
          )
    const followed = follow === undefined ? body : wrap(name ?? '', await follow())
    const bytes = answerBytes(request, '', [followed], '')
    // The next change can name it without another read.
    if (single !== undefined && isPut) reply.header('etag', etag ?? etagOf(bytes))
    return sendJson(reply, bytes)
  })

  app.decorate('change', (change) => inTransaction(db, change))

  app.decorate('remove', async (request, reply, what, removal) => {
    await inTransaction(db, async (tx) => {
      if (what !== undefined) await assertMatch(tx, request, what)
      await removal(tx)
    })
    return sendJson(reply, Buffer.from('{}'))
  })
}
