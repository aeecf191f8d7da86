import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '#platform/errors/problem.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { emailErrors, hasErrors } from '#shop/sign-in/sessions/rules.ts'
import { addressOf, memberOf } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { acceptAsGuest, acceptAsMember } from './commands.ts'
import { createGiftAddresses } from './links.secrets.ts'
import { giftModel } from './page.present.ts'
import { findGift, findGivenPart } from './queries.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'vault'>
type Ref = { Params: { token: string } }

const REFUSED = 422
const GONE = 410

const params = Type.Object({
  token: PathPart('Id and signature of a gift.'),
  shop: Type.Optional(PathPart('Id of the shop.')),
})

/** The page behind the button of a gift mail: it shows the gift, and asks for an email address and nothing else. */
export const giftRoutes: FastifyPluginCallback<Options> = (app, { db, now, vault }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app)
  const links = createGiftAddresses(vault)

  async function getGift(request: FastifyRequest<Ref>) {
    const { company_id } = request.visit.shop
    const found = await findGift(db, request.visit, links.readPath(company_id, request.params.token))
    if (found === undefined) throw shopPageNotFound()
    return found
  }

  async function show(
    request: FastifyRequest<Ref>,
    reply: FastifyReply,
    said: { email?: string; errors?: Record<string, string> } = {},
  ) {
    const given = await getGift(request)
    const part = await findGivenPart(db, request.visit, given.code.product_id)
    const { token } = request.params
    const model = giftModel(
      { ...given, part, token, email: said.email, place: request.visit },
      now(request.visit.shop.company_id),
    )
    const { errors = {} } = said
    const status = hasErrors(errors) ? REFUSED : model.is_open ? 200 : GONE
    const page = { title_key: 'gift.title', is_private: true, has_error: hasErrors(errors) }
    return reply.shopPage('gift', { ...model, page, errors }, { status })
  }

  routes.get<Ref>('/gifts/:token', { params }, (request, reply) => show(request, reply))

  routes.post<Ref>('/gifts/:token', { params, body: formBody({ email: 'line' }) }, async (request, reply) => {
    const { gift, code } = await getGift(request)
    const member = memberOf(request)
    const email = formOf(request, 'email').email.trim()
    const errors = member === undefined ? emailErrors(email) : {}
    if (hasErrors(errors)) return show(request, reply, { email, errors })
    try {
      if (member !== undefined) {
        const id = await app.change((tx) =>
          acceptAsMember(tx, member.session, code, now(request.visit.shop.company_id)),
        )
        return reply.toShop(id === undefined ? '/my-content' : `/my-content/${id}/open`)
      }
      const { shop, language, base } = request.visit
      const place = { companyId: shop.company_id, shopId: shop.id, address: addressOf(request), base, language }
      const guest = { email, acceptLanguage: request.headers['accept-language'] ?? '', country: request.visit.country }
      await app.change((tx) =>
        acceptAsGuest(tx, place, { gift, code, path: request.url }, guest, now(request.visit.shop.company_id)),
      )
    } catch (error) {
      // Somebody else was faster, or the gift was taken back: the page says so.
      if (error instanceof Problem && error.status === REFUSED) return show(request, reply, { email })
      throw error
    }
    return reply.shopPage('mail-sent', { page: { title_key: 'login.mailed.title', is_private: true }, email })
  })

  done()
}
