import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart, SearchParameter, TimeInput } from '#platform/wire/schema.ts'
import { inviteAgain, inviteUser, updateUser } from './commands.ts'
import { countUsers, getUserDocument, listUsers, lockUser, searchUsers } from './queries.ts'
import { NewUserInput, User, UserInput } from './schema.ts'

const managing = { access: { scope: ['users', 'companies'], permissions: ['create_users'] } } as const
/** Users change what they may: their own names without another permission. */
const changing = { access: { scope: ['users', 'companies'] } } as const
const tags = ['Users']
const Ref = Type.Object({ token: PathPart('Token of the user, in any case, or its id.') })
const updated_at_min = Type.Optional(TimeInput('Only users changed at this time or later.'))
const ListQuery = Type.Object({ ...Paging.properties, updated_at_min })
const SearchQuery = Type.Object({
  ...Paging.properties,
  query: Type.Optional(SearchParameter('What to look for.')),
})
const CountQuery = Type.Object({ updated_at_min, since_id: Paging.properties.since_id })
const One = Type.Object({ user: named(User) })
const Many = Type.Object({ users: Type.Array(named(User)) })
const user = single(
  'user',
  async (db, { caller, params }: Asked<{ token: string }>) => getUserDocument(db, caller.companyId, params.token),
  (tx, { caller, params }) => lockUser(tx, caller.companyId, params.token),
)

export const userRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock }, done) => {
  const sourceOf = (request: FastifyRequest) => ({ origin: originOf(request), baseUrl: app.baseUrl })

  app.get(
    '/users.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'listUsers',
        summary: 'List the users of the company',
        querystring: ListQuery,
        response: { 200: Many },
      },
    },
    async (request, reply) => sendList(request, reply, 'users', listUsers(db, request.caller.companyId, request.query)),
  )

  app.get(
    '/users/search.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'searchUsers',
        summary: 'Search the users of the company',
        description: 'By email address, in any case.',
        querystring: SearchQuery,
        response: { 200: Many },
      },
    },
    async (request, reply) =>
      sendList(request, reply, 'users', searchUsers(db, request.caller.companyId, request.query.query)),
  )

  app.get(
    '/users/count.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'countUsers',
        summary: 'Count the users of the company',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countUsers(db, caller.companyId, query) }),
  )

  app.get(
    '/users/:token.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'getUser',
        summary: 'Read a user',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, user, db),
  )

  app.post(
    '/users.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'createUser',
        summary: 'Invite a user',
        description:
          'Writes a mail with an invitation, which is kept as long as no mail server is configured. The user is disabled until it is accepted. The user behind the token needs the permission `create_users`.',
        body: Type.Object({ user: NewUserInput }),
        response: { 201: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), user, (tx) =>
        inviteUser(tx, request.caller, request.body.user, sourceOf(request), nowInSeconds(clock)),
      ),
  )

  app.post(
    '/users/:token/send_invitation.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'sendInvitation',
        summary: 'Invite a user again',
        description: 'For somebody who has not accepted yet. The links of earlier invitations stop working.',
        params: Ref,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, user, (tx) =>
        inviteAgain(tx, request.caller, request.params.token, sourceOf(request), nowInSeconds(clock)),
      ),
  )

  app.put(
    '/users/:token.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateUser',
        summary: 'Change a user',
        description:
          'State, permissions and the email address can be changed if the user behind the token has the permission `create_users`. A new email address gets a new invitation; once one was accepted, the address stays.',
        params: Ref,
        body: Type.Object({ user: UserInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, user, (tx) =>
        updateUser(tx, request.caller, request.params.token, request.body.user, sourceOf(request), nowInSeconds(clock)),
      ),
  )

  done()
}
