import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { holds } from '#platform/http/answers/answers.ts'

/** A document as it is sent. */
export type Pdf = { number: string; pdf: Buffer; etag: string }

export const PdfAnswer = {
  description: 'The document.',
  content: { 'application/pdf': { schema: Type.Unsafe({ type: 'string', format: 'binary' }) } },
}

export function toPdf(number: string, pdf: Buffer): Pdf {
  return { number, pdf, etag: `"${createHash('sha256').update(pdf).digest('base64url')}"` }
}

/** The name of the file is made of letters that every system takes. */
export function sendPdf(request: FastifyRequest, reply: FastifyReply, { number, pdf, etag }: Pdf): FastifyReply {
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
