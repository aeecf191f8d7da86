import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendEntries, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart, WordsParameter } from '#platform/wire/schema.ts'
import { getOwner } from '../devices/queries.ts'
import { Entitlement } from '../schema.ts'
import { openContent } from './commands.ts'
import { presentIncluded, presentMembership } from './present.ts'
import { getMembership, listIncluded, readMemberships } from './queries.ts'
import { IncludedProduct, Membership, OpenInput } from './schema.ts'

const reading = { access: { scope: ['customers', 'player'] } } as const
const tags = ['Memberships']
const token = PathPart('Token of the customer, in any case, or its id.')
const CustomerRef = Type.Object({ token })
const MembershipRef = Type.Object({ token, group: PathPart('The group.', ['s77']) })
const IncludedQuery = Type.Object({
  q: Type.Optional(WordsParameter('Words of the title.', 'northern light')),
  ...Paging.properties,
})

export const membershipRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/customers/:token/memberships.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listMemberships',
        summary: 'List the memberships of a customer',
        description: 'The groups that the customer is or was in, with the time of the customer in each.',
        params: CustomerRef,
        querystring: Paging,
        response: { 200: Type.Object({ memberships: Type.Array(named(Membership)) }) },
      },
    },
    async (request, reply) => {
      const owner = await getOwner(db, request.caller, request.params.token)
      const memberships = await readMemberships(db, owner)
      const presented = memberships.map((each) =>
        presentMembership(each, owner.language, now(request.caller.companyId)),
      )
      return sendEntries(request, reply, 'memberships', presented)
    },
  )

  app.get(
    '/customers/:token/memberships/:group/products.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listIncludedProducts',
        summary: 'List what a membership includes',
        description: 'Products that the group opens now or later. Open one to use it.',
        params: MembershipRef,
        querystring: IncludedQuery,
        response: { 200: Type.Object({ products: Type.Array(named(IncludedProduct)) }) },
      },
    },
    async (request, reply) => {
      const owner = await getOwner(db, request.caller, request.params.token)
      const { group_id } = await getMembership(db, owner, request.params.group)
      const list = listIncluded(db, owner.companyId, group_id, request.query.q, now(request.caller.companyId))
      return sendRows(request, reply, 'products', list, (rows) => rows.map(presentIncluded))
    },
  )

  done()
}

/** For apps and players. */
export const openRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.post(
    '/customers/:token/open.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'openContent',
        summary: 'Open what a membership includes',
        description:
          'Answers entitlements that can be checked, used, played and downloaded like those that were bought, for as long as the membership includes them. Opening something again answers the same.',
        params: CustomerRef,
        body: Type.Object({ open: OpenInput }),
        response: { 201: Type.Object({ content: Type.Array(named(Entitlement)) }) },
      },
    },
    async (request, reply) => {
      const owner = await getOwner(db, request.caller, request.params.token)
      return app.write(request, reply.code(201), 'content', (tx) =>
        openContent(tx, owner, request.body.open.product_id.trim(), now(request.caller.companyId)),
      )
    },
  )

  done()
}
