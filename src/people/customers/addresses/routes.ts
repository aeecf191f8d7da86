import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendEntries } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { presentAddresses, presentOwnAddress } from '../present.ts'
import { getAddresses, lockCustomer } from '../queries.ts'
import { changeAddressOf, createAddress, deleteAddress } from './commands.ts'
import { getAddress } from './queries.ts'
import { CustomerAddress, CustomerAddressInput } from './schema.ts'

const config = { access: { scope: 'customers' } } as const
const tags = ['Customer addresses']
const token = PathPart('Token of the customer, in any case, or its id.')
const Owner = Type.Object({ token })
const Ref = Type.Object({ token, id: PathPart('Id of the address.') })
const One = Type.Object({ customer_address: named(CustomerAddress) })
const Many = Type.Object({ addresses: Type.Array(named(CustomerAddress)) })
const Body = Type.Object({ address: CustomerAddressInput })
const address = single(
  'customer_address',
  async (db, { caller, params }: Asked<{ token: string; id: string }>) => {
    const { address: found, token } = await getAddress(db, caller.companyId, params.token, params.id)
    return asciiJson(presentOwnAddress(found, token))
  },
  (tx, { caller, params }) => lockCustomer(tx, caller.companyId, params.token),
)

export const customerAddressRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/customers/:token/addresses.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listCustomerAddresses',
        summary: 'List the addresses of a customer',
        params: Owner,
        querystring: Paging,
        response: { 200: Many },
      },
    },
    async (request, reply) => {
      const owned = await getAddresses(db, request.caller.companyId, request.params.token)
      return sendEntries(request, reply, 'addresses', presentAddresses(owned.token, owned))
    },
  )

  app.get(
    '/customers/:token/addresses/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getCustomerAddress',
        summary: 'Read an address',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, address, db),
  )

  app.post(
    '/customers/:token/addresses.json',
    {
      config,
      schema: {
        tags,
        operationId: 'createCustomerAddress',
        summary: 'Add an address',
        description: 'Answers all addresses of the customer. The first one is the default.',
        params: Owner,
        body: Body,
        response: { 201: Many },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), 'addresses', (tx) =>
        createAddress(tx, request.caller, request.params.token, request.body.address, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/customers/:token/addresses/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateCustomerAddress',
        summary: 'Change an address',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { token, id } = request.params
      return app.write(request, reply, address, (tx) =>
        changeAddressOf(tx, request.caller, token, id, request.body.address, now(request.caller.companyId)),
      )
    },
  )

  app.put(
    '/customers/:token/addresses/:id/default.json',
    {
      config,
      schema: {
        tags,
        operationId: 'setDefaultCustomerAddress',
        summary: 'Make an address the default',
        params: Ref,
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { token, id } = request.params
      return app.write(request, reply, address, (tx) =>
        changeAddressOf(tx, request.caller, token, id, { default: true }, now(request.caller.companyId)),
      )
    },
  )

  app.delete(
    '/customers/:token/addresses/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteCustomerAddress',
        summary: 'Delete an address',
        description: 'If it was the default, the oldest of the others becomes that.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) => {
      const { token, id } = request.params
      return app.remove(request, reply, address, (tx) =>
        deleteAddress(tx, request.caller, token, id, now(request.caller.companyId)),
      )
    },
  )

  done()
}
