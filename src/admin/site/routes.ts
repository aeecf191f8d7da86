import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { createEncodedPage, type EncodedPage } from '#platform/http/answers/encoded-page.ts'
import { chooseEncoding } from '#platform/http/answers/encodings.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { createPageHeaders } from '#platform/pages/answers.ts'
import { pageNotFound } from '#platform/pages/errors.ts'
import { readerOf } from '#platform/pages/reader.ts'
import { readAsset, readPage } from './built.files.ts'
import { MAIL_POLICY, policyWith } from './policy.rules.ts'
import { MAIL_FRAME, notBuiltPage } from './views.ts'

/** Where the build has left room for the nonce of the page. */
const NONCE = 'LICET_NONCE'
const FOR_EVER = 'public, max-age=31536000, immutable'

const own = { config: { session: true, everyPath: true }, schema: { hide: true } } as const
const Asset = Type.Object({ file: Type.String({ maxLength: 100 }) })

/** The admin interface: one page for all of its addresses, and the files that the build made. Everything else is the API. */
export const adminSiteRoutes: FastifyPluginCallback = (app, _options, done) => {
  for (const url of ['/admin', '/admin/*'])
    app.get(url, own, async (request, reply) => {
      const page = await readPage()
      if (page === undefined) return reply.page(notBuiltPage(readerOf(request)), { status: 503 })
      const nonce = randomToken()
      return reply.headers(createPageHeaders({ policy: policyWith(nonce) })({})).send(page.replaceAll(NONCE, nonce))
    })

  const mailHeaders = createPageHeaders({ policy: MAIL_POLICY })({ caching: 'private, max-age=3600' })
  app.get('/admin/mail-frame', { config: { public: true }, schema: { hide: true } }, async (_request, reply) =>
    reply.headers(mailHeaders).send(MAIL_FRAME),
  )

  const encoded = new Map<string, EncodedPage>()

  app.get<{ Params: { file: string } }>(
    '/admin/assets/:file',
    { config: { public: true }, schema: { hide: true, params: Asset } },
    async (request, reply) => {
      const { file } = request.params
      const asset = encoded.get(file) ?? (await encodeAsset(file))
      if (asset === undefined) throw pageNotFound()
      encoded.set(file, asset)
      const { headers, body } = asset.as(chooseEncoding(String(request.headers['accept-encoding'] ?? '')))
      for (let place = 0; place < headers.length; place += 2) reply.header(headers[place] ?? '', headers[place + 1])
      return reply.send(body)
    },
  )

  done()
}

/** The name of a file contains a hash of what is in it, so browsers keep it for ever. */
async function encodeAsset(name: string): Promise<EncodedPage | undefined> {
  const asset = await readAsset(name)
  if (asset === undefined) return undefined
  const { contentType, bytes, isText } = asset
  const headers = [
    'content-type',
    contentType,
    'cache-control',
    FOR_EVER,
    'x-content-type-options',
    'nosniff',
    'vary',
    'accept-encoding',
  ]
  if (isText) return createEncodedPage(bytes.toString(), headers)
  return { size: bytes.length, as: () => ({ headers, body: bytes }) }
}
