import type { FastifyReply, FastifyRequest } from 'fastify'
import { holds } from '#platform/http/answers/answers.ts'
import type { StoredPdf } from './queries.ts'

/** The name of the file is made of letters that every system takes. */
export function sendPdf(request: FastifyRequest, reply: FastifyReply, { number, pdf, etag }: StoredPdf): FastifyReply {
  const name = number.replace(/[^\w.-]+/g, '_')
  reply.header('etag', etag)
  if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .send(pdf)
}
