import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { KEPT_HOURS } from '../../db/kept-answers.ts'
import { validationFailed } from '../../errors/problem.ts'
import type { Caller } from '../../identity/caller.ts'
import { idempotencyKeyInUse, idempotencyKeyInvalid, idempotencyKeyReused } from '../problems.ts'

/** Makes the change and returns the body of the response, as JSON text. */
export type Work = (tx: Tx) => Promise<string>

const KEY_LENGTH_MAX = 255

/** The key that a POST carries so that sending it twice does it once. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > KEY_LENGTH_MAX) {
    throw validationFailed('Idempotency-Key', idempotencyKeyInvalid(KEY_LENGTH_MAX))
  }
  return key
}

/** A client may have renewed its token before it tries again. */
function withoutToken(query: unknown): unknown {
  const { access_token: _token, ...rest } = Object(query)
  return rest
}

/** Keys are those of a caller: two users, or two customers of an app, may choose the same, and get no answer of the other. */
function keyOf(caller: Caller, key: string): string {
  if (caller.kind === 'app') return key
  return caller.kind === 'user' ? `user ${caller.userId} ${key}` : `${caller.customerId} ${key}`
}

/** The app in the table of keys; users have none. */
const appOf = ({ appId }: Caller) => appId ?? 0

/** The same values always have the same text: attributes are sorted, and blanks do not exist. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

/**
 * What a request asks for, as values after validation: path, query and body. The hash needs a key that the database
 * does not have, because a body can contain a password: with a plain hash a reader of the database could try millions a
 * second.
 */
function fingerprint({ method, routeOptions, params, query, body, caller }: FastifyRequest, key: Buffer): Buffer {
  const asked = [method, routeOptions.url, params, withoutToken(query), body]
  if (caller.customerId !== null) asked.push(caller.customerId)
  return createHmac('sha256', key).update(canonicalJson(asked)).digest()
}

/**
 * Does the work once per key. The response is stored in the transaction that makes the change, so both exist or
 * neither. A second request with the key waits for PostgreSQL's lock on the first one's row, and then finds the
 * response.
 */
export async function once(
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
  sentKey: string,
  fingerprintKey: Buffer,
  now: Date,
  work: Work,
): Promise<string> {
  const key = keyOf(request.caller, sentKey)
  const mark = fingerprint(request, fingerprintKey)
  if (await claim(tx, request, key, mark, now)) {
    const body = await work(tx)
    await tx
      .updateTable('idempotency_keys')
      .set({ status: reply.statusCode, body })
      .where('company_id', '=', request.caller.companyId)
      .where('app_id', '=', appOf(request.caller))
      .where('key', '=', key)
      .execute()
    return body
  }
  const earlier = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body'])
    .where('company_id', '=', request.caller.companyId)
    .where('app_id', '=', appOf(request.caller))
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!earlier.fingerprint.equals(mark)) throw validationFailed('Idempotency-Key', idempotencyKeyReused())
  reply.code(earlier.status ?? 200).header('idempotent-replayed', 'true')
  return earlier.body ?? '{}'
}

/** Takes the key, or waits for the request that has it and returns false. */
async function claim(tx: Tx, request: FastifyRequest, key: string, mark: Buffer, now: Date): Promise<boolean> {
  const { companyId } = request.caller
  await sql`set local lock_timeout = '10s'`.execute(tx)
  const result = await tx
    .insertInto('idempotency_keys')
    .values({ company_id: companyId, app_id: appOf(request.caller), key, fingerprint: mark, created_at: now })
    .onConflict((on) =>
      on
        .columns(['company_id', 'app_id', 'key'])
        .doUpdateSet({ fingerprint: mark, status: null, body: null, created_at: now })
        .where('idempotency_keys.created_at', '<', new Date(now.getTime() - KEPT_HOURS * 3_600_000)),
    )
    .executeTakeFirst()
    .catch((error) => {
      if (error.code === '55P03') throw idempotencyKeyInUse()
      throw error
    })
  return result.numInsertedOrUpdatedRows === 1n
}
