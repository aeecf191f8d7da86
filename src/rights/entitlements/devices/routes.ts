import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { registerDevice, removeDevice, renameDevice } from './commands.ts'
import { presentDevice } from './present.ts'
import { getDevice, getOwner, listDevices, lockDevice } from './queries.ts'
import { Device, DeviceInput, NewDeviceInput } from './schema.ts'

const reading = { access: { scope: ['customers', 'player'] } } as const
const removing = { access: { scope: ['customers', 'player'], permissions: ['unlock'] } } as const
const tags = ['Devices']
const OfCustomer = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })
const Ref = Type.Object({ ...OfCustomer.properties, id: PathPart('Id of the device.') })
const One = Type.Object({ device: named(Device) })
const device = single(
  'device',
  async (db, { caller, params }: Asked<{ token: string; id: string }>) => {
    const owner = await getOwner(db, caller, params.token)
    return asciiJson(presentDevice(await getDevice(db, owner, params.id)))
  },
  async (tx, { caller, params }) => lockDevice(tx, await getOwner(tx, caller, params.token), params.id),
)

/** The devices that a customer uses content of the company on: to read, and to remove. */
export const deviceRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/customers/:token/devices.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listDevices',
        summary: "List a customer's devices",
        params: OfCustomer,
        querystring: Paging,
        response: { 200: Type.Object({ devices: Type.Array(named(Device)) }) },
      },
    },
    async (request, reply) => {
      const owner = await getOwner(db, request.caller, request.params.token)
      return sendRows(request, reply, 'devices', listDevices(db, owner), (rows) => rows.map(presentDevice))
    },
  )

  app.get(
    '/customers/:token/devices/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getDevice',
        summary: 'Read a device',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, device, db),
  )

  app.delete(
    '/customers/:token/devices/:id.json',
    {
      config: removing,
      schema: {
        tags,
        operationId: 'removeDevice',
        summary: 'Remove a device',
        description:
          'Other devices can use at once what it held. It still counts as one of the different devices of the year.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, device, async (tx) => {
        const owner = await getOwner(tx, request.caller, request.params.token)
        await removeDevice(tx, authorOf(request), owner, request.params.id, now(request.caller.companyId))
      }),
  )

  done()
}

/** Players register devices, and customers name them. */
export const deviceChangeRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/customers/:token/devices.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'registerDevice',
        summary: 'Register a device',
        description: 'A device is also registered by its first use. One that is registered already gets the name.',
        params: OfCustomer,
        body: Type.Object({ device: NewDeviceInput }),
        response: { 201: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), device, async (tx) => {
        const owner = await getOwner(tx, request.caller, request.params.token)
        return registerDevice(tx, owner, request.body.device, now(request.caller.companyId))
      }),
  )

  app.put(
    '/customers/:token/devices/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'renameDevice',
        summary: 'Name a device',
        params: Ref,
        body: Type.Object({ device: DeviceInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, device, async (tx) => {
        const owner = await getOwner(tx, request.caller, request.params.token)
        return renameDevice(tx, owner, request.params.id, request.body.device)
      }),
  )

  done()
}
