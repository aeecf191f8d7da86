import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { formBody } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { cartLines, priceCart } from '../pages.queries.ts'
import { findCartId } from '../queries.ts'
import { NO_DETAILS } from '../rules.ts'
import { keepShopper, shopperOf } from '../shopper.site.ts'
import { restoreCart } from './commands.ts'
import { createReminderLinks } from './links.secrets.ts'
import { findCart } from './queries.ts'

const params = Type.Object({
  token: PathPart('Id and signature of a cart.'),
  shop: Type.Optional(PathPart('Id of the shop.')),
})
const RestoreBody = formBody({})
type Link = { Params: { token: string } }

/** The way back to a cart from a mail, in any browser. It signs nobody in, and shows nothing but the things in the cart. */
export const restoreRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now' | 'vault'>> = (
  app,
  { db, now, vault },
  done,
) => {
  const routes = shopRoutes(app)
  const links = createReminderLinks(vault)

  // Opening the page changes nothing, because mail scanners open links.
  routes.get<Link>('/cart/restore/:token', { params }, async (request, reply) => {
    const { shop } = request.visit
    const id = links.readCart(shop.company_id, shop.id, request.params.token)
    const found = id === undefined ? undefined : await findCart(db, shop.company_id, shop.id, id)
    if (found === undefined || found.lines.length === 0) return reply.toShop('/cart')
    if ((await findCartId(db, shopperOf(request))) === id) return reply.toShop('/cart')
    const { country } = found.details
    const cart = { ...found, details: { ...NO_DETAILS, country } }
    const priced = await priceCart(db, request.visit, cart, now(request.visit.shop.company_id))
    return reply.shopPage('cart-restore', {
      page: { title_key: 'cart.title', is_private: true },
      lines: cartLines(cart, priced),
      summary: priced.summary,
      token: request.params.token,
    })
  })

  routes.post<Link>('/cart/restore/:token', { params, body: RestoreBody }, async (request, reply) => {
    const { shop } = request.visit
    const id = links.readCart(shop.company_id, shop.id, request.params.token)
    if (id !== undefined)
      await app.change((tx) => restoreCart(tx, keepShopper(request, reply), id, now(request.visit.shop.company_id)))
    return reply.toShop('/cart')
  })

  done()
}
