import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyEncodingUnsupported, bodyNotUtf8, bodyTooDeep, bodyTooWide } from '../problems.ts'
import { ATTRIBUTES_MAX, DEPTH_MAX, findExcess } from '../values/json-bounds.ts'

/** Reads bodies of `application/json`. An empty body is no body: clients send `Content-Type: application/json` along with a DELETE. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers
    const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? []
    if (!/^(utf-?8|us-ascii)$/i.test(charset) || coding !== 'identity') return done(bodyEncodingUnsupported())
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(bodyNotUtf8())
    const json = body.toString()
    const excess = findExcess(json)
    if (excess === 'depth') return done(bodyTooDeep(DEPTH_MAX))
    if (excess === 'attributes') return done(bodyTooWide(ATTRIBUTES_MAX))
    parse(request, json, done)
  })
}
