import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { logged } from '#platform/http/errors.ts'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createSendPage } from '#platform/pages/answers.ts'
import type { PagePolicy } from '#platform/pages/policy.ts'
import { sendProblemPage } from '#platform/pages/problem-pages.ts'
import { translatedLanguage } from '#platform/text/accepted-languages.ts'
import { createSender } from '#rights/content-files/delivery/site.ts'
import type { ReaderAssets } from './assets.files.ts'
import { listParts, readPart } from './book.files.ts'
import { bookPartNotFound } from './errors.ts'
import { getOpenBook } from './open-book.queries.ts'
import { createPartsGuard } from './parts.cache.ts'
import { isReaderHost } from './rules.ts'
import { createReaderTokens } from './tokens.secrets.ts'
import { bookPage } from './views.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault' | 'files' | 'transfers'> & {
  assets: ReaderAssets
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Scripts come from this host alone, so that those in a book never run. Books have styles and pictures of their own. */
const policyFor = (parent: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' blob: 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self' blob: data:",
    'media-src blob:',
    "connect-src 'self' blob:",
    'frame-src blob:',
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${parent}`,
  ].join('; ')

const FAILURE_POLICY: PagePolicy = {
  scripts: [],
  styles: ["'self'"],
  images: ['data:'],
  fonts: ["'self'"],
  formActions: [],
  frameAncestors: [],
}

const PRIVATE = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A part of a book is data for the reader, and never a page or a script of its own. */
const DATA = {
  ...PRIVATE,
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; sandbox",
}

const TokenRef = Type.Object({ token: Type.String({ maxLength: 1000 }) })
const AssetRef = Type.Object({ version: Type.String({ maxLength: 20 }), '*': Type.String({ maxLength: 100 }) })

/** Open books, on an origin of their own. There are no cookies here: the address says who reads what. */
export const readerFrameRoutes: FastifyPluginCallback<Options> = (app, options, done) => {
  const { db, now, clock, vault, files, assets } = options
  const tokens = createReaderTokens(vault)
  const send = createSender(app, options)
  const assertPart = createPartsGuard(clock)
  const reader = { constraints: { site: 'reader' }, config: { public: true, priority: 'high' } } as const
  const schema = { hide: true, params: TokenRef }
  const tokenOf = ({ params }: FastifyRequest) => String(Reflect.get(Object(params), 'token'))

  /** The open book of an address. A book opens on the host of its shop alone, where no book of another shop reaches it. */
  async function open(request: FastifyRequest) {
    const reading = tokens.open(tokenOf(request), clock.now())
    const isHere = reading !== undefined && isReaderHost(request.host, reading.shop, app.baseUrl)
    return getOpenBook(db, isHere ? reading : undefined, { now, clock })
  }

  /** A person sees the page of a failure in the frame of the book, so the same sites may show it. */
  function showFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const frameAncestors = tokens.open(tokenOf(request), clock.now())?.parent.split(' ') ?? []
    const send = createSendPage({ policy: { ...FAILURE_POLICY, frameAncestors } })
    return sendProblemPage(send, reply, logged(error, request))
  }

  app.get('/read/:token', { ...reader, schema, errorHandler: showFailure }, async (request, reply) => {
    const { kind, reading } = await open(request)
    const page = bookPage({
      language: translatedLanguage(request.headers['accept-language'] ?? '') ?? '',
      kind,
      address: `/read/${tokenOf(request)}`,
      assets: `/assets/reader/${await assets.version()}`,
    })
    return reply
      .headers({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8' })
      .header('content-security-policy', policyFor(reading.parent))
      .send(page)
  })

  app.route({
    // A HEAD of its own says how long the file is. The one that comes with every GET would say that it is empty.
    method: ['GET', 'HEAD'],
    url: '/read/:token/file',
    ...reader,
    schema,
    compress: false,
    handler: async (request, reply) => {
      const { file } = await open(request)
      // Nobody gets a protected book as a whole.
      if (file.protection === 'epub') throw bookPartNotFound()
      if (file.protection !== null && request.method === 'GET') assertPart(tokenOf(request), request.headers, file.size)
      return send(request, reply, file, 'private')
    },
  })

  app.get('/read/:token/parts', { ...reader, schema }, async (request, reply) => {
    const { file } = await open(request)
    return reply.headers(PRIVATE).send(await listParts(files, file))
  })

  const part = { ...schema, querystring: Type.Object({ name: Type.String({ maxLength: 2000 }) }) }
  app.get('/read/:token/part', { ...reader, schema: part }, async (request, reply) => {
    const { file } = await open(request)
    return reply.headers(DATA).send(await readPart(files, file, queryText(request, 'name')))
  })

  app.get(
    '/assets/reader/:version/*',
    { ...reader, schema: { hide: true, params: AssetRef } },
    async (request, reply) => {
      const asset = await assets.find(String(Reflect.get(Object(request.params), '*')))
      if (asset === undefined) throw bookPartNotFound()
      return reply
        .headers({ 'content-type': asset.contentType, 'cache-control': FOR_EVER, 'x-content-type-options': 'nosniff' })
        .send(asset.bytes)
    },
  )

  done()
}
