import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '#platform/errors/problem.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forBuyers, forMembers, type Member, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { download, redeem, showKey, startNow } from './commands.ts'
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

type Refused = { code?: string; redeem_error?: string }
type Options = Pick<ResourceOptions, 'db' | 'now' | 'vault'>

const page = (key: string, has_error = false) => ({ title_key: key, is_private: true, is_app: true, has_error })

/** My Content: what a customer owns, as the rights engine sees it. */
export const myContentRoutes: FastifyPluginCallback<Options> = (app, { db, now, vault }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app)
  const dependencies = { db, now, change: app.change }
  const signatures = createDownloadSignatures(vault)

  async function showLibrary(reply: FastifyReply, { session }: Member, wrong: Refused = {}, status = 200) {
    const { request } = reply
    const asked = {
      kind: queryText(request, 'kind'),
      words: queryText(request, 'q'),
      after: queryText(request, 'after'),
    }
    const library = await readLibrary(db, session, request.visit, asked, now())
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

  async function showItem(
    reply: FastifyReply,
    session: Member['session'],
    grant: Awaited<ReturnType<typeof getOwned>>,
    owned: Awaited<ReturnType<typeof readOwned>>,
    status = 200,
  ) {
    const key = await showKey(dependencies, session, grant)
    const model = { page: { title: owned.item.title, is_private: true }, ...owned, has_key: key !== undefined, key }
    return reply.shopPage('my-content-item', model, { status })
  }

  routes.get(
    '/my-content/:id',
    {},
    forBuyers(async (request, reply, { session }) => {
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      const owned = await readOwned(db, session, grant, request.visit, now())
      if (await isBeingPrepared(db, grant, queryText(request, 'preparing'))) return showPreparing(reply, owned)
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
      const owned = await readOwned(db, session, grant, request.visit, now())
      return showItem(reply, session, grant, owned, REFUSED)
    }),
  )

  done()
}
