import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { changeApp, createApp, rotateSecret } from '../apps.commands.ts'
import { getOwnApp, listOwnApps, lockOwnApp } from '../queries.ts'
import { detailsOf, issueAccessToken } from './commands.ts'
import { presentRegisteredApp } from './present.ts'
import {
  AccessToken,
  NewAccessToken,
  NewRegisteredApp,
  RegisteredApp,
  RegisteredAppInput,
  RegisteredAppWithSecret,
  SecretRotation,
} from './schema.ts'

// An app that somebody has registered can be let in with everything that the user may do.
const config = { access: { permissions: ['create_users'] } } as const
const tags = ['Apps']
const Ref = Type.Object({ id: PathPart('Id of the app.') })
const One = Type.Object({ app: named(RegisteredApp) })
const WithSecret = Type.Object({ app: named(RegisteredAppWithSecret) })
/** How long the secret before stays valid, unless the request says otherwise. */
const OVERLAP_SECONDS = 86_400

const registeredApp = single(
  'app',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentRegisteredApp(await getOwnApp(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockOwnApp(tx, caller.companyId, params.id),
)

function actorOf(request: FastifyRequest) {
  return { userId: request.caller.userId, origin: originOf(request) }
}

/** The apps that a company registers itself. Secrets are answered once, so they are never kept for a repeated request. */
export const registrationRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock, vault }, done) => {
  app.get(
    '/apps.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listApps',
        summary: 'List the apps that the company has registered',
        querystring: Paging,
        response: { 200: Type.Object({ apps: Type.Array(named(RegisteredApp)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'apps', listOwnApps(db, request.caller.companyId), (rows) =>
        rows.map(presentRegisteredApp),
      ),
  )

  app.get(
    '/apps/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getApp',
        summary: 'Read an app that the company has registered',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, registeredApp, db),
  )

  app.post(
    '/apps.json',
    {
      config,
      schema: {
        tags,
        operationId: 'createApp',
        summary: 'Register an app',
        description: 'The answer has its secret, which is shown this once.',
        body: Type.Object({ app: NewRegisteredApp }),
        response: { 201: WithSecret },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const { client_id: clientId, ...input } = request.body.app
      const answer = await app.change(async (tx) => {
        const details = {
          name: '',
          redirectUris: [],
          ...detailsOf(input),
          companyId,
          ...(clientId ? { clientId } : {}),
        }
        const { id, client_secret } = await createApp(tx, details, vault, actorOf(request), nowInSeconds(clock))
        return { ...presentRegisteredApp(await getOwnApp(tx, companyId, String(id))), client_secret }
      })
      return reply.code(201).send({ app: answer })
    },
  )

  app.put(
    '/apps/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateApp',
        summary: 'Change an app that the company has registered',
        description: 'The companies in which it is installed are told by `app/update`.',
        params: Ref,
        body: Type.Object({ app: RegisteredAppInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, registeredApp, async (tx) => {
        const { companyId } = request.caller
        const before = await lockOwnApp(tx, companyId, request.params.id)
        await changeApp(
          tx,
          companyId,
          before.client_id,
          detailsOf(request.body.app),
          actorOf(request),
          nowInSeconds(clock),
        )
        const state = await getOwnApp(tx, companyId, request.params.id)
        return { state, document: asciiJson(presentRegisteredApp(state)) }
      }),
  )

  app.post(
    '/apps/:id/rotate_secret.json',
    {
      config,
      schema: {
        tags,
        operationId: 'rotateAppSecret',
        summary: 'Give an app a new secret',
        description:
          'The answer has the new one, which is shown this once. The old one works until `previous_secret_until`.',
        params: Ref,
        body: Type.Object({ rotation: SecretRotation }),
        response: { 200: WithSecret },
      },
    },
    async (request) => {
      const { companyId } = request.caller
      const { overlap_seconds = OVERLAP_SECONDS } = request.body.rotation
      return app.change(async (tx) => {
        const { client_id } = await lockOwnApp(tx, companyId, request.params.id)
        const client_secret = await rotateSecret(
          tx,
          companyId,
          client_id,
          overlap_seconds,
          vault,
          actorOf(request),
          nowInSeconds(clock),
        )
        const changed = await getOwnApp(tx, companyId, request.params.id)
        return { app: { ...presentRegisteredApp(changed), client_secret } }
      })
    },
  )

  app.post(
    '/apps/:id/access_tokens.json',
    {
      config,
      schema: {
        tags,
        operationId: 'createAccessToken',
        summary: 'Make an access token of an app',
        description:
          'For a script of your own. It never may do more than the user who made it, and ends when the app is removed. It is shown this once.',
        params: Ref,
        body: Type.Object({ access_token: NewAccessToken }),
        response: { 201: named(AccessToken) },
      },
    },
    async (request, reply) => {
      const { companyId, userId } = request.caller
      const issuer = { companyId, userId: userId ?? 0, origin: originOf(request) }
      const { access_token: wanted } = request.body
      return reply
        .code(201)
        .send(await app.change((tx) => issueAccessToken(tx, issuer, request.params.id, wanted, nowInSeconds(clock))))
    },
  )

  done()
}
