import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { forMembers, memberOf } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { addWish, removeWish } from './commands.ts'
import { readWishCards } from './queries.ts'

/** The wish list of a customer. */
export const wishListRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now'>> = (app, { db, now }, done) => {
  const routes = shopRoutes(app)

  routes.get(
    '/account/wish-list',
    {},
    forMembers(async ({ visit }, reply, { session }) => {
      const cards = await readWishCards(db, session, visit, now(visit.shop.company_id))
      return reply.shopPage('account-wishes', { page: { title_key: 'wishes.title', is_private: true }, cards })
    }),
  )

  routes.post('/account/wish-list', { body: formBody({ product: 'word' }) }, async (request, reply) => {
    const productKey = keyIn(request)
    const member = memberOf(request)
    // Whoever has to sign in first comes back to the product.
    if (member === undefined) {
      const back = new URLSearchParams({ return_to: `${request.visit.base}/products/${productKey}` })
      return reply.toShop(`/login?${back}`)
    }
    await app.change((tx) => addWish(tx, { ...member.session, productKey }, now(request.visit.shop.company_id)))
    return reply.toShop('/account/wish-list')
  })

  routes.post(
    '/account/wish-list/remove',
    { body: formBody({ product: 'word' }) },
    forMembers(async (request, reply, { session }) => {
      const productKey = keyIn(request)
      await app.change((tx) => removeWish(tx, { ...session, productKey }))
      return reply.toShop('/account/wish-list')
    }),
  )

  done()
}

function keyIn(request: FastifyRequest): number {
  const { product } = formOf(request, 'product')
  if (!/^\d{1,15}$/.test(product)) throw shopPageNotFound()
  return Number(product)
}
