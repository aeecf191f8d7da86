import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OWN, OWN_ADDRESS, OWN_HOST, ownHost } from '../../wire/own-address.ts'
import { askedFields, onlyFields } from './fields.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address under which clients reach the service, without a slash at its end. */
    baseUrl: string
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Replaces the placeholders in a stored document by the service's address, or by its host alone. */
function withOwnAddress(request: FastifyRequest, document: string): string {
  if (!document.includes(OWN)) return document
  const { baseUrl } = request.server
  const text = document.includes(OWN_ADDRESS) ? document.replaceAll(OWN_ADDRESS, baseUrl) : document
  return text.includes(OWN_HOST) ? text.replaceAll(OWN_HOST, ownHost(baseUrl)) : text
}

/**
 * The bytes of a response: documents, separated by commas, between `before` and `behind`. All of it is ASCII, so a
 * byte is a character, and each part is written to its place without being joined to others first.
 */
export function answerBytes(request: FastifyRequest, before: string, documents: string[], behind: string): Buffer {
  const texts = documents.map((document) => withOwnAddress(request, document))
  const length = texts.reduce((sum, text) => sum + text.length + 1, before.length + behind.length)
  const bytes = Buffer.allocUnsafe(length)
  let end = bytes.write(before, 0, 'latin1')
  for (const [index, text] of texts.entries()) {
    if (index > 0) end += bytes.write(',', end, 'latin1')
    end += bytes.write(text, end, 'latin1')
  }
  end += bytes.write(behind, end, 'latin1')
  return bytes.subarray(0, end)
}

export function wrap(key: string, document: string): string {
  return `{"${key}":${document}}`
}

export function sendJson(reply: FastifyReply, body: Buffer): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(body)
}

/** Sends one document: wrapped, cut to `fields`, with a weak ETag so that an unchanged document is sent once. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  document: string,
): FastifyReply {
  const { fields }: { fields?: string } = request.query ?? {}
  const body = answerBytes(request, `{"${key}":`, [onlyFields(document, askedFields(fields))], '}')
  return isKnown(request, reply, body) ? reply.code(304).send() : sendJson(reply, body)
}

export function etagOf(body: Buffer): string {
  return `W/"${hash('sha1', body, 'base64url')}"`
}

/** Tags an answer by its bytes, and says whether the caller has it already. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, body: Buffer): boolean {
  const etag = etagOf(body)
  reply.header('etag', etag)
  return holds(request.headers['if-none-match'], etag)
}

/** Does the caller have the version that this ETag identifies? Weak and strong ones are the same here. */
export function holds(named: string | undefined, etag: string): boolean {
  if (named === undefined) return false
  const entries = named.split(',').map((entry) => entry.trim())
  if (entries.includes('*')) return true
  return entries.map((entry) => entry.replace(/^W\//, '')).includes(etag.replace(/^W\//, ''))
}

/** Sends a text as a file that the browser saves. Nobody but the caller may keep it. */
export function sendFile(
  reply: FastifyReply,
  file: { name: string; type: string },
  body: Readable | Buffer,
): FastifyReply {
  return reply
    .header('content-type', `${file.type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .header('cache-control', 'private, no-store')
    .send(body)
}
