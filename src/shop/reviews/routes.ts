import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { readReview } from '#selling/reviews/rules.ts'
import { forMembers, pathPart, toSignIn } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import type { RefusedForm } from '#shop/site/pages.site.ts'
import { idIn } from '#shop/site/paths.rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { sendReview } from './commands.ts'
import type { ReviewPage } from './pages.site.ts'
import { findBefore, findReviewed, mayReview, type Reviewed } from './queries.ts'

const REFUSED = 422
const FORBIDDEN = 403
const WAIT = 429

/** The page on which buyers review a product. The page of the product itself is the same for everybody. */
export const reviewPageRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now'>> = (
  app,
  { db, now },
  done,
) => {
  const routes = shopRoutes(app)

  /** The product of the address, if the shop takes reviews. */
  async function reviewed(request: FastifyRequest): Promise<Reviewed> {
    const { shop } = request.visit
    const id = idIn(pathPart(request, 'ref'))
    if (!shop.allow_reviews || id === undefined) throw shopPageNotFound()
    const product = await findReviewed(db, request.visit, id, now(request.visit.shop.company_id))
    if (product === undefined) throw shopPageNotFound()
    return product
  }

  function show(
    reply: FastifyReply,
    product: Reviewed,
    form: ReviewPage['form'],
    { status = 200, ...wrong }: RefusedForm & { status?: number } = {},
  ) {
    const { visit } = reply.request
    return reply.shopPage(
      'review',
      {
        page: { title_key: 'reviews.write', is_private: true, has_error: status >= REFUSED },
        product,
        form,
        may_hide: visit.shop.allow_anonymous_reviews,
        needs_approval: visit.shop.need_approval_of_reviews,
        ...wrong,
      },
      { status },
    )
  }

  const refuse = (reply: FastifyReply) =>
    reply.shopPage(
      'page',
      {
        page: { title_key: 'reviews.write', is_private: true },
        heading_key: 'reviews.write',
        text_key: 'reviews.buyers_only',
      },
      { status: FORBIDDEN },
    )

  routes.get(
    '/products/:ref/review',
    {},
    forMembers(async (request, reply, member) => {
      const product = await reviewed(request)
      if (!(await mayReview(db, member, product.id))) return refuse(reply)
      const before = await findBefore(db, member, product.id)
      const { stars = '', text = '', name } = before ?? {}
      return show(reply, product, { stars: String(stars), text, anonymous: name === '' })
    }),
  )

  routes.post(
    '/products/:ref/review',
    { body: formBody({ stars: 'word', text: 'text', anonymous: 'word' }) },
    forMembers(async (request, reply, member) => {
      const product = await reviewed(request)
      if (!(await mayReview(db, member, product.id))) return refuse(reply)
      const { shop } = request.visit
      const sent = formOf(request, 'stars', 'text', 'anonymous')
      const { input, faults } = readReview(sent, member.customer, shop.allow_anonymous_reviews)
      const form = { stars: sent.stars, text: sent.text, anonymous: sent.anonymous !== '' }
      if (Object.keys(faults).length > 0) {
        const errors = Object.fromEntries(Object.entries(faults).map(([name, key]) => [name, `reviews.errors.${key}`]))
        return show(reply, product, form, { status: REFUSED, errors })
      }
      const review = { product, input, baseUrl: app.baseUrl }
      const saved = await app.change((tx) =>
        sendReview(tx, member, request.visit, review, now(request.visit.shop.company_id)),
      )
      if (saved.kind === 'signed out') return toSignIn(reply)
      if (saved.kind === 'wait') {
        const wrong = { alarm: 'login.errors.wait', minutes: Math.ceil(saved.seconds / 60) }
        return show(reply.header('retry-after', saved.seconds), product, form, { status: WAIT, ...wrong })
      }
      return reply.shopPage('page', {
        page: { title_key: 'reviews.thanks', is_private: true },
        heading_key: 'reviews.thanks',
        text_key: saved.isWaiting ? 'reviews.thanks_waiting' : 'reviews.thanks_shown',
      })
    }),
  )

  done()
}
