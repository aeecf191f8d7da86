import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { connectGateway } from './connect.commands.ts'
import type { PaymentWork } from './gateways/commands.ts'
import { lockSettings } from './queries.ts'
import { GatewayConnection, GatewayConnectionInput, PaymentSettings, PaymentSettingsInput } from './schema.ts'
import { readSettings, updatePaymentSettings } from './settings.commands.ts'

/** Who decides where the money goes needs the permission that other settings of the company need. */
const config = { access: { permissions: ['create_users'] } } as const
const tags = ['Payments']
const One = Type.Object({ payment_settings: named(PaymentSettings) })

export const paymentSettingsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, vault, outbound, serviceUrls, now, clock } = options
  const paymentSettings = single(
    'payment_settings',
    async (db, { caller }: Asked<unknown>) => asciiJson(await readSettings(db, vault, caller.companyId, app.baseUrl)),
    (tx, { caller }) => lockSettings(tx, caller.companyId),
  )

  app.get(
    '/payment_settings.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getPaymentSettings',
        summary: 'Read the payment settings',
        querystring: Fields,
        response: { 200: One, 304: Type.Null({ description: 'Nothing changed.' }) },
      },
    },
    async (request, reply) => sendSingle(request, reply, paymentSettings, db),
  )

  app.put(
    '/payment_settings.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updatePaymentSettings',
        summary: 'Change the payment settings',
        description: 'Settings that are left out stay as they are. Secrets are stored encrypted and never shown.',
        body: Type.Object({ payment_settings: PaymentSettingsInput }),
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      return app.write(request, reply, paymentSettings, async (tx) => {
        const state = await updatePaymentSettings(
          tx,
          vault,
          authorOf(request),
          body.payment_settings,
          now(request.caller.companyId),
        )
        const settings = await readSettings(tx, vault, caller.companyId, app.baseUrl)
        return { state, document: asciiJson(settings) }
      })
    },
  )

  app.post(
    '/gateway_connections.json',
    {
      config,
      schema: {
        tags,
        operationId: 'connectGateway',
        summary: 'Connect a payment gateway',
        description:
          'Asks the gateway whether it takes the key, has it send its events to the service where it can, stores the key encrypted, and turns the gateway on. A key that is refused changes nothing.',
        body: Type.Object({ gateway_connection: GatewayConnectionInput }),
        response: {
          201: Type.Object({ gateway_connection: GatewayConnection, payment_settings: named(PaymentSettings) }),
        },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { gateway, secret_key } = body.gateway_connection
      const work: PaymentWork = {
        db,
        vault,
        outbound,
        serviceUrls,
        now,
        clock,
        change: app.change,
        baseUrl: () => app.baseUrl,
      }
      const connection = await connectGateway(work, authorOf(request), gateway, secret_key)
      const settings = await readSettings(db, vault, caller.companyId, app.baseUrl)
      return reply.code(201).send({ gateway_connection: connection, payment_settings: settings })
    },
  )

  done()
}
