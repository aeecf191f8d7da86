import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db, Tx } from '../../db/database.ts'
import type { Caller } from '../../identity/caller.ts'
import { documentChanged } from '../problems.ts'
import { answerBytes, etagOf, holds, sendDocument, sendJson } from './answers.ts'

/** The part of a request that says which thing is asked for. */
export type Asked<Params> = { caller: Caller; params: Params }

/** A thing that has a path of its own: the key that wraps it, how its document is read, and how it is locked. */
export type Single<Params> = {
  key: string
  read(db: Db, asked: Asked<Params>): Promise<string>
  /** Keeps others from changing it until the transaction ends, as the commands that change it do. */
  lock(tx: Tx, asked: Asked<Params>): Promise<unknown>
}

/** Names the document behind a path, for the routes that read, change and delete it. */
export function single<Params>(
  key: string,
  read: Single<Params>['read'],
  lock: Single<Params>['lock'],
): Single<Params> {
  return { key, read, lock }
}

/** Sends what a path names. */
export async function sendSingle<Params>(
  request: FastifyRequest & Asked<Params>,
  reply: FastifyReply,
  { key, read }: Single<Params>,
  db: Db,
): Promise<FastifyReply> {
  return sendDocument(request, reply, key, await read(db, request))
}

/** Sends the document that a change has written. Its ETag is told, so that the next change needs no other read. */
export function sendChanged(request: FastifyRequest, reply: FastifyReply, key: string, document: string): FastifyReply {
  const bytes = answerBytes(request, `{"${key}":`, [document], '}')
  return sendJson(reply.header('etag', etagOf(bytes)), bytes)
}

/**
 * Refuses a change of a document that is no longer the one that the caller has read, by the ETag in `If-Match`. The lock
 * comes first, so that nobody changes it between the comparison and the change.
 */
export async function assertMatch<Params>(
  tx: Tx,
  request: FastifyRequest & Asked<Params>,
  { key, read, lock }: Single<Params>,
): Promise<void> {
  const expected = request.headers['if-match']
  if (expected === undefined) return
  await lock(tx, request)
  const current = answerBytes(request, `{"${key}":`, [await read(tx, request)], '}')
  if (!holds(expected, etagOf(current))) throw documentChanged(current.toString('latin1'))
}
