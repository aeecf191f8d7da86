import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { setCustomerState } from './disable.commands.ts'
import { Customer } from './schema.ts'

const config = { access: { permissions: ['unlock'] } } as const
const tags = ['Customers']
const Ref = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })
const One = Type.Object({ customer: named(Customer) })
const Body = Type.Object({ customer: Type.Object({ state: Customer.properties.state }) })

/** The API only reads the state of a customer; the users of the company change it. */
export const customerStateRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.put(
    '/customers/:token/state.json',
    {
      config,
      schema: {
        tags,
        operationId: 'setCustomerState',
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
        setCustomerState(
          tx,
          authorOf(request),
          request.params.token,
          request.body.customer.state,
          now(request.caller.companyId),
        ),
      ),
  )

  done()
}
