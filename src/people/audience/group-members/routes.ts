import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createGroupMember, deleteGroupMember, updateGroupMember } from './commands.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { presentGroupMember } from './present.ts'
import { countGroupMembers, getGroupMember, listGroupMembers, lockGroupMember } from './queries.ts'
import { GroupMember, GroupMemberChange, GroupMemberFilters, GroupMemberInput } from './schema.ts'
import type { GroupMemberState } from './state.ts'

const reading = { access: { scope: 'customers' } } as const
const changing = { access: { scope: 'customers', permissions: ['unlock'] } } as const
const tags = ['Group members']
const Ref = Type.Object({ id: PathPart('Id of the member.') })
const ListQuery = Type.Object({ ...Paging.properties, ...GroupMemberFilters.properties, format: CsvFormat })
const CountQuery = Type.Object({ ...GroupMemberFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ groupmember: named(GroupMember) })

export const groupMemberRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const groupMember = single(
    'groupmember',
    async (db, { caller, params }: Asked<{ id: string }>) =>
      asciiJson(presentGroupMember(await getGroupMember(db, caller.companyId, params.id), now(caller.companyId))),
    (tx, { caller, params }) => lockGroupMember(tx, caller.companyId, params.id),
  )

  app.get(
    '/groupmembers.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listGroupMembers',
        summary: 'List group members',
        querystring: ListQuery,
        response: { 200: listOrFile(Type.Object({ groupmembers: Type.Array(named(GroupMember)) })) },
      },
    },
    async (request, reply) => {
      const time = now(request.caller.companyId)
      const list = listGroupMembers(db, request.caller.companyId, request.query, time)
      const present = (rows: GroupMemberState[]) => rows.map((row) => presentGroupMember(row, time))
      return isCsv(request.query.format)
        ? sendCsv(reply, 'group-members.csv', list, HEADING, (rows) => linesOf(present(rows)))
        : sendRows(request, reply, 'groupmembers', list, present)
    },
  )

  app.get(
    '/groupmembers/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countGroupMembers',
        summary: 'Count group members',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({
      count: await countGroupMembers(db, caller.companyId, query, now(caller.companyId)),
    }),
  )

  app.get(
    '/groupmembers/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getGroupMember',
        summary: 'Read a group member',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, groupMember, db),
  )

  app.post(
    '/groupmembers.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createGroupMember',
        summary: 'Create a group member',
        description:
          'The person is named by `customer_token` or by `email`; the address of a customer of the company gets the token. A person is in a group once: a second time is 422.',
        body: Type.Object({ groupmember: GroupMemberInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), groupMember, (tx) =>
        createGroupMember(tx, request.caller, request.body.groupmember, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/groupmembers/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateGroupMember',
        summary: 'Change a group member',
        description: 'Changes the group or the period. The person stays the same.',
        params: Ref,
        body: Type.Object({ groupmember: GroupMemberChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, groupMember, (tx) =>
        updateGroupMember(
          tx,
          request.caller,
          request.params.id,
          request.body.groupmember,
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/groupmembers/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteGroupMember',
        summary: 'Delete a group member',
        description: 'To end a membership and keep it on record, set `end_at` instead.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, groupMember, (tx) => deleteGroupMember(tx, request.caller, request.params.id)),
  )

  done()
}
