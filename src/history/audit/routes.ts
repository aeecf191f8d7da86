import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named } from '#platform/wire/schema.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { presentAuditEntry } from './present.ts'
import { countAuditEntries, listAuditEntries } from './queries.ts'
import { AuditEntry, AuditFilters } from './schema.ts'

const config = { access: { scope: 'companies', permissions: ['create_users'] } } as const
const tags = ['Audit']
const ListQuery = Type.Object({
  ...AuditFilters.properties,
  ...Paging.properties,
  format: Type.Optional(
    Type.String({
      maxLength: 10,
      description: '`csv` for a file that a spreadsheet opens, with all entries that fit.',
    }),
  ),
})
const Many = Type.Object({ audit_entries: Type.Array(named(AuditEntry)) })
const CountQuery = Type.Object({ ...AuditFilters.properties, since_id: Paging.properties.since_id })

export const auditRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/audit_entries.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listAuditEntries',
        summary: 'List audit entries',
        description:
          'Sign-ins, users, apps and their permissions, tokens, terms of sale: who, when, and from where. Kept for a year.',
        querystring: ListQuery,
        response: { 200: listOrFile(Many) },
      },
    },
    async (request, reply) => {
      const list = listAuditEntries(db, request.caller.companyId, request.query)
      return isCsv(request.query.format)
        ? sendCsv(reply, 'activity.csv', list, HEADING, linesOf)
        : sendRows(request, reply, 'audit_entries', list, (rows) => rows.map(presentAuditEntry))
    },
  )

  app.get(
    '/audit_entries/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countAuditEntries',
        summary: 'Count audit entries',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countAuditEntries(db, caller.companyId, query) }),
  )

  done()
}
