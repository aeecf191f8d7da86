import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { isUnknownEntitlement } from '#rights/entitlements/errors.ts'
import { forBuyers, memberOf, pathPart, toSignIn } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { placeToUse } from './library.present.ts'
import { getOwned } from './library.queries.ts'

type Options = Pick<ResourceOptions, 'db' | 'now'>

const Opened = Type.Object({ token: Type.Optional(Type.String({ maxLength: 120 })) })

/**
 * Where links to something that a customer owns lead: the player, the reader, or the page with its files. Mails link to it,
 * and have the secret of the order, so that somebody on another device need not type the address.
 */
export const openRoutes: FastifyPluginCallback<Options> = (app, { db, now }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app, { priority: 'high' })

  routes.get(
    '/my-content/:id/open',
    { querystring: Opened },
    forBuyers(async (request, reply, { session }) => {
      try {
        const grant = await getOwned(db, session, pathPart(request, 'id'))
        return reply.toShop(
          `/my-content/${grant.entitlement.id}${placeToUse(grant, now(request.visit.shop.company_id))}`,
        )
      } catch (error) {
        // A guest sees what was bought in this browser. The rest is there after signing in.
        if (isUnknownEntitlement(error) && memberOf(request) === undefined) return toSignIn(reply)
        throw error
      }
    }),
  )

  done()
}
