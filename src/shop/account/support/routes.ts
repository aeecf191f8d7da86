import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { exportBusy } from '../errors.ts'
import { createExports } from '../export.files.ts'
import { mailSignInLink, makeLoginLink, recordExport } from './commands.ts'
import { getExported } from './queries.ts'
import { LoginLink } from './schema.ts'

const config = { access: { permissions: ['unlock'] } } as const
const tags = ['Customers']
const Ref = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })

/** What the people of a company do for a customer who asks for help. Apps have ways of their own. */
export const customerSupportRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, clock }, done) => {
  const startExport = createExports({ db, now, clock, change: app.change })

  app.post(
    '/customers/:token/login_link.json',
    {
      config,
      schema: {
        tags,
        operationId: 'makeLoginLink',
        summary: 'Make a link that signs a customer in',
        description:
          'For somebody of the company who helps a customer, or looks at what the customer sees. It works once, for 15 minutes, and goes on record.',
        params: Ref,
        response: { 201: Type.Object({ login_link: named(LoginLink) }) },
      },
    },
    // It lets anybody in who has it, so it is not kept for a repeated request.
    async (request, reply) => {
      const login_link = await app.change((tx) =>
        makeLoginLink(tx, authorOf(request), request.params.token, app.baseUrl, nowInSeconds(clock)),
      )
      return reply.code(201).send({ login_link })
    },
  )

  app.post(
    '/customers/:token/send_sign_in_link.json',
    {
      config,
      schema: {
        tags,
        operationId: 'mailSignInLink',
        summary: 'Mail a customer a link to sign in with',
        description:
          'The mail is the one that customers ask for themselves in the shop. The link works once, for 30 minutes.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, undefined, (tx) =>
        mailSignInLink(tx, authorOf(request), request.params.token, app.baseUrl, nowInSeconds(clock)),
      ),
  )

  app.post(
    '/customers/:token/export.json',
    {
      config,
      schema: {
        tags,
        operationId: 'exportCustomer',
        summary: 'Export what the company knows of a customer',
        description:
          'The same file as customers get in the shop: the customer, orders, content, devices, declarations of withdrawal, newsletters with the source of the consent, memberships and subscriptions. It goes on record.',
        params: Ref,
        response: {
          200: {
            description: 'The file.',
            content: { 'application/json': { schema: Type.Unsafe<unknown>({ type: 'object' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const { id, token } = await getExported(db, companyId, request.params.token)
      const started = await startExport({ companyId }, { id, token }, 'owner')
      if (started.kind !== 'made') throw exportBusy(started.seconds)
      await app.change((tx) => recordExport(tx, authorOf(request), token, now(request.caller.companyId)))
      return reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="customer-${token}.json"`,
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
        })
        .send(started.result)
    },
  )

  done()
}
