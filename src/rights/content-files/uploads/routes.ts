import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { authorOf } from '#platform/http/requests/origin.ts'
import { allowSlowBody } from '#platform/http/requests/slow-bodies.ts'
import type { ResourceApp, ResourceOptions } from '#platform/http/resource.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { readInput } from './metadata.files.ts'
import { createUploads, type Uploads } from './tus.files.ts'

const config = { access: { scope: 'files', permissions: ['request_products'] } } as const
const tags = ['Content files']
const Ref = Type.Object({ id: PathPart('The name of the upload.') })

function uploadsOf(app: ResourceApp, { db, files, transfers, now, clock }: ResourceOptions): Uploads {
  return createUploads({
    db,
    change: (work) => app.change(work),
    files,
    folder: transfers.uploadFolder,
    bytesMax: transfers.uploadBytesMax,
    now,
    clock,
    readInput,
    onDefect: (error) => app.log.error({ err: error }, 'an upload failed'),
  })
}

/**
 * The endpoints of the tus protocol. They are not in the OpenAPI document, because the protocol describes them:
 * https://tus.io/protocols/resumable-upload
 */
export const uploadRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, registered) => {
  const uploads = uploadsOf(app, options)
  const schema = { hide: true, tags, summary: 'Upload a content file by the tus protocol' }

  // The bytes stay on the connection: the protocol reads them.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null))

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.hijack()
    allowSlowBody(request.raw)
    app.isTransfer(reply.raw)
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await uploads.handle(authorOf(request), request.raw, reply.raw)
    return reply
  }

  app.post('/files/uploads', { config, schema }, handle)
  for (const method of ['HEAD', 'PATCH', 'DELETE'] as const)
    app.route({ method, url: '/files/uploads/:id', config, schema: { ...schema, params: Ref }, handler: handle })

  registered()
}

const OPTIONS_HEADERS = {
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination',
  'access-control-allow-methods': 'POST, HEAD, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Tus-Resumable, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id',
  'access-control-max-age': '7200',
}

/** A browser asks before it sends a token, so everybody may ask what the protocol can do here. */
export const uploadPreflightRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { transfers }, done) => {
  const config: FastifyContextConfig = { public: true }
  const schema = { hide: true, tags, summary: 'What the tus protocol can do here' }
  for (const url of ['/files/uploads', '/files/uploads/:id'])
    app.route({
      method: 'OPTIONS',
      url,
      config,
      schema,
      handler: async (_request, reply) =>
        reply
          .code(204)
          .headers({ ...OPTIONS_HEADERS, 'tus-max-size': String(transfers.uploadBytesMax) })
          .send(),
    })
  done()
}
