import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import { withPermissions } from '#platform/http/requests/access.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { setCustomerState } from './disable.commands.ts'
import { getCustomerDocument } from './queries.ts'
import { Customer } from './schema.ts'

const { config, tags, operationId } = withPermissions('web_access')
const Ref = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })
const One = Type.Object({ customer: named(Customer) })
const Body = Type.Object({ customer: Type.Object({ state: Customer.properties.state }) })

/** The API only reads the state of a customer; the users of the company change it. */
export const customerAdminRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/customers/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('getCustomer'),
        summary: 'Read a customer',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      sendDocument(
        request,
        reply,
        'customer',
        await getCustomerDocument(db, request.caller.companyId, request.params.token),
      ),
  )

  app.put(
    '/customers/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('updateCustomer'),
        summary: 'Enable or disable a customer',
        description:
          'A disabled customer cannot sign in or order. The account is one for the whole platform: if other companies know the customer too, the answer is 409.',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'customer', (tx) =>
        setCustomerState(tx, authorOf(request), request.params.token, request.body.customer.state, now()),
      ),
  )

  done()
}
