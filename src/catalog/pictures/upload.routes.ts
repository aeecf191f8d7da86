import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { createBodyTurns } from '#platform/http/requests/body-turns.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { pictureRefused } from './errors.ts'
import { PICTURE_TYPES } from './formats.facts.ts'
import { inspectImage } from './image.files.ts'
import { PICTURE_BYTES_MAX, PictureBody, UploadedPicture } from './schema.ts'
import { contentHash } from './store.commands.ts'
import { storeUpload } from './upload.commands.ts'

const config = { access: { scope: ['products', 'themes'], permissions: ['request_products'] } } as const

/** Each upload is in memory until it is stored: 120 MiB for all that are under way at once. */
const takeTurn = createBodyTurns({ ofCompany: 3, ofAll: 12, waitingMax: 100, bodyMs: 10 * 60_000 })

/** As JSON it is its hash: the fingerprint of a request with an `Idempotency-Key` is made of JSON. */
class PictureBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toJSON(): string {
    return contentHash(this.bytes)
  }
}

export const pictureUploadRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { files, now }, done) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    Object.values(PICTURE_TYPES),
    { parseAs: 'buffer', bodyLimit: PICTURE_BYTES_MAX },
    (_request, body: Buffer, parsed) => parsed(null, new PictureBytes(body)),
  )

  app.post(
    '/pictures.json',
    {
      config,
      // The schema is for the document: what is wrong with the bytes is found by decoding them.
      validatorCompiler: () => () => true,
      preParsing: takeTurn,
      schema: {
        tags: ['Pictures'],
        operationId: 'uploadPicture',
        summary: 'Upload a picture',
        description:
          'The body is the picture itself: a JPEG, PNG, GIF, WebP or AVIF of at most 10 MiB and 40 million pixels. The answer has the address to send as `src` or `shop_icon`. What is not used within a day is deleted.',
        body: PictureBody,
        response: { 201: Type.Object({ picture: named(UploadedPicture) }) },
      },
    },
    async (request, reply) => {
      const { bytes } = request.body instanceof PictureBytes ? request.body : { bytes: Buffer.alloc(0) }
      const image = await inspectImage(bytes)
      if (image.kind === 'refused') throw pictureRefused(image.reason)
      return app.write(request, reply.code(201), 'picture', (tx) =>
        storeUpload(tx, files, request.caller.companyId, { bytes, image }, now(request.caller.companyId)),
      )
    },
  )

  done()
}
