import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { readerOrigin } from '../reader/rules.ts'
import { parentsOf } from '../reader/site.ts'
import { createReaderTokens, READING_SECONDS } from '../reader/tokens.secrets.ts'
import { chooseBook, sampleModel } from './page.present.ts'
import { findShownSample } from './queries.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'vault'>

const Sample = Type.Object({ file: Type.Optional(Type.String({ maxLength: 20 })) })

/** The sample of a shop, which everybody can play, read or download without an account. */
export const sampleRoutes: FastifyPluginCallback<Options> = (app, { db, now, vault }, done) => {
  const routes = shopRoutes(app)
  const tokens = createReaderTokens(vault)

  routes.get('/sample', { querystring: Sample }, async (request, reply) => {
    const { visit } = request
    const sample = await findShownSample(db, visit, now(request.visit.shop.company_id))
    if (sample === undefined) throw shopPageNotFound()
    const { product, files } = sample
    const asked = queryText(request, 'file')
    const fileId = asked === '' ? undefined : Number(/^\d{1,15}$/.exec(asked)?.[0] ?? 0)
    const book = chooseBook(files, fileId)
    const origin = readerOrigin(visit.shop.id, app.baseUrl)
    const expires = Math.floor(now(request.visit.shop.company_id).getTime() / 1000) + READING_SECONDS
    const token = book && {
      sample: true as const,
      company: visit.shop.company_id,
      shop: visit.shop.id,
      file: book.id,
      parent: parentsOf(request),
      expires,
    }
    const frame = token && { origin, url: `${origin}/read/${tokens.seal(token)}` }
    const model = sampleModel({ product, files, fileId }, frame)
    if (model === undefined) throw shopPageNotFound()
    return reply.shopPage('sample', model, frame === undefined ? {} : { frames: [origin] })
  })

  done()
}
