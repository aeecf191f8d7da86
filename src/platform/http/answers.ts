import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OWN_ADDRESS } from '../own-address.ts'
import { asciiJson } from '../wire.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address under which clients reach the service, without a slash at its end. */
    baseUrl: string
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The bytes of an answer: the service's address is put where stored documents leave room for it. The text is ASCII, so
 * one byte is one character.
 */
export function answerBytes(request: FastifyRequest, text: string): Buffer {
  const filled = text.includes(OWN_ADDRESS) ? text.replaceAll(OWN_ADDRESS, request.server.baseUrl) : text
  return Buffer.from(filled, 'latin1')
}

/** The names that a caller asked for with `fields`; undefined means all. */
export function askedFields(fields: string | undefined): Set<string> | undefined {
  const names = (fields ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? undefined : new Set(names)
}

function pick(document: Record<string, unknown>, fields: Set<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => fields.has(name)))
}

/** Cuts documents, joined by commas, down to the fields asked for. */
export function onlyFields(documents: string, fields: Set<string> | undefined): string {
  if (fields === undefined || documents === '') return documents
  const parsed = JSON.parse(`[${documents}]`) as Record<string, unknown>[]
  return parsed.map((document) => asciiJson(pick(document, fields))).join(',')
}

export function wrap(key: string, document: string): string {
  return `{"${key}":${document}}`
}

export function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(answerBytes(request, text))
}

/** Answers a single read: wrapped, cut to `fields`, with a weak ETag so that an unchanged thing travels once. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  document: string,
): FastifyReply {
  const { fields } = request.query as { fields?: string }
  const cut = fields === undefined ? document : onlyFields(document, askedFields(fields))
  const body = answerBytes(request, wrap(key, cut))
  const etag = `W/"${hash('sha1', body, 'base64url')}"`
  reply.header('etag', etag)
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', JSON_TYPE).send(body)
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const bare = etag.slice(2)
  return ifNoneMatch.split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === bare)
}
