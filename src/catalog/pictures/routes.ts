import type { FastifyPluginCallback } from 'fastify'
import type { Files } from '#platform/files/files.ts'
import { holds } from '#platform/http/answers/answers.ts'
import { pictureNotFound } from './errors.ts'
import { PICTURE_TYPES } from './formats.facts.ts'
import { isPictureId, parsePictureName, pictureFolder } from './names.rules.ts'
import { createPictureSizes } from './sizes.files.ts'

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

const options = { config: { public: true }, schema: { hide: true, tags: ['pictures'], summary: 'A picture' } } as const

/** Serves pictures. Their names contain a hash of the content, so a copy never becomes outdated. */
export function pictureRoutes(files: Files): FastifyPluginCallback {
  const findFile = createPictureSizes(files)

  return (app, _options, done) => {
    app.get<{ Params: { company: string; id: string; file: string } }>(
      '/pictures/:company/:id/:file',
      options,
      async (request, reply) => {
        const { company, id, file } = request.params
        const name = parsePictureName(file)
        if (name === undefined || !isPictureId(company) || !isPictureId(id)) throw pictureNotFound()
        const key = await findFile(pictureFolder(company, id), name)
        if (key === undefined) throw pictureNotFound()
        const etag = `"${file}"`
        if (holds(request.headers['if-none-match'], etag))
          return reply
            .code(304)
            .headers({ ...HEADERS, etag })
            .send()
        const found = await files.stream(key)
        if (found === undefined) throw pictureNotFound()
        const type = PICTURE_TYPES[name.extension]
        return reply
          .headers({ ...HEADERS, etag, 'content-type': type, 'content-length': found.bytes })
          .send(found.stream)
      },
    )
    done()
  }
}
