import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendList } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { listCurrencyRates } from './queries.ts'
import { CurrencyRate } from './schema.ts'

export const currencyRateRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/currency_rates.json',
    {
      config: { access: { scope: 'products' } },
      schema: {
        tags: ['Currency rates'],
        operationId: 'listCurrencyRates',
        summary: 'List currency rates',
        description: 'The latest rate of every currency; each says which day it is of.',
        querystring: Paging,
        response: { 200: Type.Object({ currency_rates: Type.Array(named(CurrencyRate)) }) },
      },
    },
    async (request, reply) => sendList(request, reply, 'currency_rates', listCurrencyRates(db)),
  )

  done()
}
