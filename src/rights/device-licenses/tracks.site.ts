import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { holds } from '#platform/http/answers/answers.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { readRange } from '#rights/content-files/delivery/ranges.rules.ts'
import { sendTrack } from './tracks.files.ts'
import type { KeyedTrack } from './tracks.secrets.ts'

/** Sends tracks: the whole, a part, or nothing if the client has it already. */
export function createTrackSender(app: FastifyInstance, { files }: Pick<ResourceOptions, 'files'>) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    track: KeyedTrack,
    modified: Date,
  ): Promise<FastifyReply> => {
    const { etag, bytes } = track.track
    const headers = {
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      etag,
    }
    if (holds(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
    const isHead = request.method === 'HEAD'
    const asked = isHead ? ({ kind: 'whole' } as const) : readRange(request.headers, bytes, etag, modified)
    if (asked.kind === 'unsatisfiable')
      return reply
        .code(416)
        .headers({ ...headers, 'content-range': `bytes */${bytes}` })
        .send()
    const range = asked.kind === 'part' ? asked.range : { start: 0, end: bytes - 1 }
    const lengths = {
      'content-length': String(range.end - range.start + 1),
      ...(asked.kind === 'part' ? { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` } : {}),
    }
    reply.headers({ ...headers, ...lengths })
    reply.hijack()
    app.isTransfer(reply.raw)
    reply.raw.writeHead(asked.kind === 'part' ? 206 : 200, reply.getHeaders() as Record<string, string>)
    try {
      // An empty answer of the framework would say that the track is empty.
      if (isHead) reply.raw.end()
      else await sendTrack(files, track, range, reply.raw)
    } catch (error) {
      // A client that goes away is no defect; the connection shows it that something is missing.
      if (!reply.raw.destroyed) reply.log.error({ err: error }, 'a track could not be sent')
      reply.raw.destroy()
    }
    return reply
  }
}
