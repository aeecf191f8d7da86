import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createGroup, deleteGroup, updateGroup } from './commands.ts'
import { presentGroup } from './present.ts'
import { countGroups, getGroup, listGroups, lockGroup } from './queries.ts'
import { Group, GroupChange, GroupInput } from './schema.ts'

const reading = { access: { scope: 'customers' } } as const
const changing = { access: { scope: 'customers', permissions: ['unlock'] } } as const
const tags = ['Groups']
const Ref = Type.Object({ id: PathPart('Letter and number of the group.', ['s77']) })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const Single = Type.Object({ group: named(Group) })
const group = single(
  'group',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentGroup(await getGroup(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockGroup(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const groupRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/groups.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listGroups',
        summary: 'List groups',
        querystring: Paging,
        response: { 200: Type.Object({ groups: Type.Array(named(Group)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'groups', listGroups(db, request.caller.companyId), (rows) => rows.map(presentGroup)),
  )

  app.get(
    '/groups/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countGroups',
        summary: 'Count groups',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countGroups(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/groups/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getGroup',
        summary: 'Read a group',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, group, db),
  )

  app.post(
    '/groups.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createGroup',
        summary: 'Create a group',
        description: 'Products, subscribers and group members that name its id belong to it at once.',
        body: Type.Object({ group: GroupInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), group, (tx) =>
        createGroup(tx, authorOf(request), request.body.group, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/groups/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateGroup',
        summary: 'Change a group',
        description: 'Another license counts for all members at once.',
        params: Ref,
        body: Type.Object({ group: GroupChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, group, (tx) =>
        updateGroup(tx, authorOf(request), request.params.id, request.body.group, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/groups/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteGroup',
        summary: 'Delete a group',
        description:
          'Its members can no longer use what it opened. What they bought stays theirs. Products and people keep the id. One that plans sell is 409.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, group, (tx) =>
        deleteGroup(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
