import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendFile } from '#platform/http/answers/answers.ts'
import { csvOf } from '#platform/http/answers/csv-lists.ts'
import { Paging, sendList } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named } from '#platform/wire/schema.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { countLedgerEntries, listLedgerEntries, listNamedEntries } from './queries.ts'
import { LedgerEntry, LedgerFilters } from './schema.ts'

const config = { access: { scope: 'orders', permissions: ['RepAccounting'] } } as const
const tags = ['Ledger']
const ListQuery = Type.Object({
  ...LedgerFilters.properties,
  ...Paging.properties,
  format: Type.Optional(
    Type.String({
      maxLength: 10,
      description: '`csv` for a file that a spreadsheet opens, with all entries that fit.',
    }),
  ),
})
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
        response: {
          200: {
            description: 'The entries, or the file.',
            content: {
              'application/json': { schema: Type.Object({ ledger_entries: Type.Array(named(LedgerEntry)) }) },
              'text/csv': { schema: Type.String({ description: 'With `format=csv`.' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const { format, ...filters } = request.query
      if (format?.toLowerCase() !== 'csv')
        return sendList(request, reply, 'ledger_entries', listLedgerEntries(db, companyId, filters))
      const file = await csvOf(listNamedEntries(db, companyId, filters), HEADING, linesOf)
      return sendFile(reply, { name: 'ledger.csv', type: 'text/csv' }, file)
    },
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
