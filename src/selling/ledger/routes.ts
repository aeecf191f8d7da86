import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendList } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named } from '#platform/wire/schema.ts'
import { countLedgerEntries, listLedgerEntries } from './queries.ts'
import { LedgerEntry, LedgerFilters } from './schema.ts'

const config = { access: { scope: 'orders', permissions: ['RepAccounting'] } } as const
const tags = ['Ledger']
const ListQuery = Type.Object({ ...LedgerFilters.properties, ...Paging.properties })
const CountQuery = Type.Object({ ...LedgerFilters.properties, since_id: Paging.properties.since_id })

export const ledgerRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/ledger_entries.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listLedgerEntries',
        summary: 'List what companies owe each other',
        description:
          'What the owners of mirrored products get of sales. Each booking is there for both sides: what one gets the other owes.',
        querystring: ListQuery,
        response: { 200: Type.Object({ ledger_entries: Type.Array(named(LedgerEntry)) }) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, 'ledger_entries', listLedgerEntries(db, request.caller.companyId, request.query)),
  )

  app.get(
    '/ledger_entries/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countLedgerEntries',
        summary: 'Count what companies owe each other',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countLedgerEntries(db, caller.companyId, query) }),
  )

  done()
}
