import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createTaxRate, deleteTaxRate, updateTaxRate } from './commands.ts'
import { presentTaxRate } from './present.ts'
import { countTaxRates, getTaxRate, listTaxRates, lockTaxRate, readTaxTable } from './queries.ts'
import { TaxRate, TaxRateChange, TaxRateInput, TaxTable } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['accounting'] } } as const
const tags = ['Tax rates']
const Ref = Type.Object({ id: PathPart('Id of the tax rate.') })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const Single = Type.Object({ tax_rate: named(TaxRate) })
const taxRate = single(
  'tax_rate',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentTaxRate(await getTaxRate(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockTaxRate(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const taxRateRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/tax_rates.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listTaxRates',
        summary: 'List tax rates',
        querystring: Paging,
        response: { 200: Type.Object({ tax_rates: Type.Array(named(TaxRate)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'tax_rates', listTaxRates(db, request.caller.companyId), (rows) =>
        rows.map(presentTaxRate),
      ),
  )

  app.get(
    '/tax_table.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getTaxTable',
        summary: 'Read which tax rates apply today',
        description: 'For each country and tax class, with where the rate is known from.',
        querystring: Fields,
        response: { 200: Type.Object({ tax_table: named(TaxTable) }) },
      },
    },
    async (request, reply) => {
      const table = await readTaxTable(db, request.caller.companyId, now(request.caller.companyId))
      return sendDocument(request, reply, 'tax_table', asciiJson(table))
    },
  )

  app.get(
    '/tax_rates/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countTaxRates',
        summary: 'Count tax rates',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countTaxRates(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/tax_rates/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getTaxRate',
        summary: 'Read a tax rate',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, taxRate, db),
  )

  app.post(
    '/tax_rates.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createTaxRate',
        summary: 'Create a tax rate',
        description:
          'Replaces the built-in rate of the country for products of the tax class. On a sale that would be free of tax, such as an export, the rate of the destination is charged if there is one here.',
        body: Type.Object({ tax_rate: TaxRateInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), taxRate, (tx) =>
        createTaxRate(tx, authorOf(request), request.body.tax_rate, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/tax_rates/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateTaxRate',
        summary: 'Change a tax rate',
        description: 'Orders that exist keep the rate that they were sold under.',
        params: Ref,
        body: Type.Object({ tax_rate: TaxRateChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, taxRate, (tx) =>
        updateTaxRate(tx, authorOf(request), request.params.id, request.body.tax_rate, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/tax_rates/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteTaxRate',
        summary: 'Delete a tax rate',
        description:
          'The built-in rate of the country and tax class applies again. Orders that exist keep the rate that they were sold under.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, taxRate, (tx) =>
        deleteTaxRate(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
