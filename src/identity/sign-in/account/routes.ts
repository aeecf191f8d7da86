import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { passwordFault } from '#identity/users/rules.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { clearCookie } from '#platform/pages/cookies.ts'
import { SESSION_COOKIE } from '#platform/pages/sessions.ts'
import { Empty, named } from '#platform/wire/schema.ts'
import { changePassword, requireSession, signOut, signOutElsewhere, signOutEverywhere } from '../commands.ts'
import { requirePassword } from './guard.ts'
import { presentSession } from './present.ts'
import { listOwnSessions } from './queries.ts'
import { OwnSession, PasswordInput } from './schema.ts'

const config = { access: { own: true } } as const
const tags = ['Account']

/** How the signed-in user signs in: the password, and the browsers in which they have done so. */
export const accountRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock }, done) => {
  app.put(
    '/password.json',
    {
      config,
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change the own password',
        description: 'Ends all other sessions of the user, and tells them by email.',
        body: Type.Object({ password: PasswordInput }),
        response: { 200: named(Empty) },
      },
    },
    async (request) => {
      const { session, body } = request
      const { current_password, password } = body.password
      const fault = passwordFault(password)
      if (fault !== undefined) throw validationFailed('password', fault)
      await requirePassword({ db, change: app.change, clock }, session, current_password)
      const passwordHash = await hashPassword(password)
      await app.change((tx) =>
        requireSession(tx, session, () =>
          changePassword(tx, session, passwordHash, app.baseUrl, originOf(request), nowInSeconds(clock)),
        ),
      )
      return {}
    },
  )

  app.get(
    '/sessions.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listOwnSessions',
        summary: 'List the own sessions',
        description: 'The browsers in which the user has signed in, last used first.',
        response: { 200: Type.Object({ sessions: Type.Array(named(OwnSession)) }) },
      },
    },
    async ({ session }) => ({
      sessions: (await listOwnSessions(db, session, nowInSeconds(clock))).map(presentSession),
    }),
  )

  app.delete(
    '/sessions.json',
    {
      config,
      schema: {
        tags,
        operationId: 'endOwnSessions',
        summary: 'Sign out everywhere else',
        querystring: Type.Object({
          including_this: Type.Optional(Type.Boolean({ description: '`1`: this session ends, too.' })),
        }),
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) => {
      const { session, query } = request
      const origin = originOf(request)
      if (query.including_this === true) {
        await app.change((tx) => signOutEverywhere(tx, session, origin, nowInSeconds(clock)))
        clearCookie(reply, SESSION_COOKIE)
      } else await app.change((tx) => signOutElsewhere(tx, session, origin, nowInSeconds(clock)))
      return {}
    },
  )

  app.delete(
    '/session.json',
    {
      config,
      schema: { tags, operationId: 'endSession', summary: 'Sign out', response: { 200: named(Empty) } },
    },
    async (request, reply) => {
      await app.change((tx) => signOut(tx, request.session, originOf(request), nowInSeconds(clock)))
      clearCookie(reply, SESSION_COOKIE)
      return {}
    },
  )

  done()
}
