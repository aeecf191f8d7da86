import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedFile } from '#platform/files/files.ts'
import { holds } from '#platform/http/answers/answers.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { type Audience, etagOf, headersFor, type Sent } from './headers.files.ts'
import { readRange } from './ranges.rules.ts'

/** Something stored that is sent. */
export type SentFile = Sent & { id: number; key: string; size: number }

/** Sends files: the whole, a part, or nothing if the client has it already. */
export function createSender(app: FastifyInstance, { files, transfers }: Pick<ResourceOptions, 'files' | 'transfers'>) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    file: SentFile,
    audience: Audience,
  ): Promise<FastifyReply> => {
    const headers = headersFor(file, audience)
    if (transfers.accelPath !== undefined)
      return reply.headers({ ...headers, 'x-accel-redirect': `${transfers.accelPath}${file.key}` }).send()
    const etag = etagOf(file)
    if (holds(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
    const isHead = request.method === 'HEAD'
    const asked = isHead ? ({ kind: 'whole' } as const) : readRange(request.headers, file.size, etag, file.ready_at)
    if (asked.kind === 'unsatisfiable')
      return reply
        .code(416)
        .headers({ ...headers, 'content-range': `bytes */${file.size}` })
        .send()
    const range = asked.kind === 'part' ? asked.range : { start: 0, end: file.size - 1 }
    const lengths = {
      'content-length': String(range.end - range.start + 1),
      ...(asked.kind === 'part' ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
    }
    if (isHead) return reply.headers({ ...headers, ...lengths }).send()
    const opened = await files.open(file.key, range)
    if (opened === undefined) throw new Error(`the bytes of content file ${file.id} are missing`)
    reply.hijack()
    app.isTransfer(reply.raw)
    reply.raw.writeHead(asked.kind === 'part' ? 206 : 200, { ...headers, ...lengths })
    await pump(opened, reply)
    return reply
  }
}

/** A client that goes away is no defect; the connection shows it that something is missing. */
async function pump(opened: OpenedFile, reply: FastifyReply): Promise<void> {
  try {
    await opened.sendTo(reply.raw)
    reply.raw.end()
  } catch (error) {
    if (!reply.raw.destroyed) reply.log.error({ err: error }, 'a file could not be sent')
    reply.raw.destroy()
  } finally {
    await opened.close()
  }
}
