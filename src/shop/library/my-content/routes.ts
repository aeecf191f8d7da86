import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '#platform/errors/problem.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { signInPath } from '#shop/sign-in/sessions/rules.ts'
import { forBuyers, forMembers, type Member, memberOf, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { isBeingEncrypted, readReading } from '../reading-apps/queries.ts'
import { download, openIncluded, redeem, showKey, startNow } from './commands.ts'
import { getOwned, isBeingPrepared, readOwned } from './library.queries.ts'
import { showPreparing } from './preparing.site.ts'
import { readLibrary } from './shelves.queries.ts'
import { createDownloadSignatures } from './signatures.secrets.ts'

const REFUSED = 422

const Library = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  kind: Type.Optional(Type.String({ maxLength: 20 })),
  after: Type.Optional(Type.String({ maxLength: 20 })),
  redeemed: Type.Optional(Type.String({ maxLength: 10 })),
})

type Refused = { code?: string; redeem_error?: string; open_error?: string }
type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault'>

const page = (key: string, has_error = false) => ({ title_key: key, is_private: true, is_app: true, has_error })

/** Where somebody who has to sign in first goes on: at the product, because a form cannot be sent again. */
const pageBefore = ({ visit: { base } }: FastifyRequest, product: string) =>
  /^\d{1,15}$/.test(product) ? `${base}/products/${product}` : `${base}/my-content`

/** My Content: what a customer owns, as the rights engine sees it. */
export const myContentRoutes: FastifyPluginCallback<Options> = (app, { db, now, clock, vault }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app, { priority: 'high' })
  const dependencies = { db, now, clock, change: app.change }
  const signatures = createDownloadSignatures(vault)

  async function showLibrary(reply: FastifyReply, member: Member, wrong: Refused = {}, status = 200) {
    const { request } = reply
    const asked = {
      kind: queryText(request, 'kind'),
      words: queryText(request, 'q'),
      after: queryText(request, 'after'),
    }
    const library = await readLibrary(db, member, request.visit, asked, now(request.visit.shop.company_id))
    const isRedeemed = queryText(request, 'redeemed') !== ''
    const model = { page: page('content.title', status !== 200), ...library, is_redeemed: isRedeemed, ...wrong }
    return reply.shopPage('my-content', model, { status })
  }

  routes.get(
    '/my-content',
    { querystring: Library },
    forBuyers(async (_request, reply, member) => showLibrary(reply, member)),
  )

  routes.post(
    '/my-content/redeem',
    { body: formBody({ code: 'line' }) },
    forMembers(async (request, reply, member) => {
      const { code } = formOf(request, 'code')
      try {
        await redeem(dependencies, member.session, code, request.ip)
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
        reply.headers(error.headers)
        return showLibrary(reply, member, { code, redeem_error: `content.redeem.${error.reason}` }, error.status)
      }
      return reply.toShop('/my-content?redeemed=1')
    }),
  )

  // Opening makes something for the customer, so it is a form; opening it again changes nothing.
  routes.post('/my-content/open', { body: formBody({ product_id: 'word' }) }, async (request, reply) => {
    const { product_id: product } = formOf(request, 'product_id')
    const member = memberOf(request)
    if (member === undefined) return reply.redirect(signInPath(request.visit.base, pageBefore(request, product)), 303)
    try {
      return reply.toShop(await openIncluded(dependencies, member.session, product))
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      return showLibrary(reply, member, { open_error: 'content.memberships.not_open' }, error.status)
    }
  })

  async function showItem(
    reply: FastifyReply,
    session: Member['session'],
    grant: Awaited<ReturnType<typeof getOwned>>,
    owned: Awaited<ReturnType<typeof readOwned>>,
    status = 200,
  ) {
    const [key, reading] = await Promise.all([
      showKey(dependencies, session, grant),
      readReading(db, vault, session, grant, now(session.companyId)),
    ])
    const page = { title: owned.item.title, is_private: true }
    const model = { page, ...owned, has_key: key !== undefined, key, reading }
    return reply.shopPage('my-content-item', model, { status })
  }

  routes.get(
    '/my-content/:id',
    {},
    forBuyers(async (request, reply, { session }) => {
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      const owned = await readOwned(db, session, grant, request.visit, now(request.visit.shop.company_id))
      if (await isBeingPrepared(db, grant, queryText(request, 'preparing'))) return showPreparing(reply, owned)
      if (await isBeingEncrypted(db, grant, queryText(request, 'encrypting'))) return showPreparing(reply, owned)
      return showItem(reply, session, grant, owned)
    }),
  )

  routes.post(
    '/my-content/:id/start',
    { body: formBody({}) },
    forBuyers(async (request, reply, { session }) => {
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      await startNow(dependencies, grant, request.visit.language)
      return reply.toShop(`/my-content/${grant.entitlement.id}`)
    }),
  )

  routes.post(
    '/my-content/:id/download',
    { body: formBody({ file_id: 'word' }) },
    forBuyers(async (request, reply, { session }) => {
      const { file_id } = formOf(request, 'file_id')
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      const taken = await download(dependencies, signatures, session, grant, Number(file_id))
      if (taken.kind === 'given') return reply.redirect(taken.path, 303)
      if (taken.kind === 'being prepared')
        return reply.toShop(`/my-content/${grant.entitlement.id}?preparing=${Number(file_id)}`)
      const owned = await readOwned(db, session, grant, request.visit, now(request.visit.shop.company_id))
      return showItem(reply, session, grant, owned, REFUSED)
    }),
  )

  done()
}
