import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forMembers, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { readMembershipPage } from './queries.ts'

const Included = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  after: Type.Optional(Type.String({ maxLength: 20 })),
  opened: Type.Optional(Type.String({ maxLength: 20 })),
})

/** Everything that a membership includes. */
export const membershipPageRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now'>> = (
  app,
  { db, now },
  done,
) => {
  requireEncryption(app)
  const routes = shopRoutes(app)

  routes.get(
    '/my-content/memberships/:group',
    { querystring: Included },
    forMembers(async (request, reply, { customer: { id, token }, session: { companyId } }) => {
      const asked = {
        words: queryText(request, 'q'),
        after: queryText(request, 'after'),
        opened: queryText(request, 'opened'),
      }
      const member = { companyId, customerId: id, token }
      const model = await readMembershipPage(
        db,
        member,
        pathPart(request, 'group'),
        request.visit,
        asked,
        now(request.visit.shop.company_id),
      )
      const page = { title: model.membership.title, is_private: true, is_app: true }
      return reply.shopPage('my-content-membership', { page, ...model })
    }),
  )

  done()
}
