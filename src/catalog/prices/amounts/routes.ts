import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentAmounts } from './present.ts'
import { readDayRates } from './queries.ts'
import { PriceAmount, PriceAmountsInput } from './schema.ts'

export const priceAmountRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.post(
    '/price_amounts.json',
    {
      config: { access: { scope: 'products' } },
      schema: {
        tags: ['Prices'],
        operationId: 'describePriceAmounts',
        summary: 'Say what customers would pay',
        description:
          'The amounts of a price in other currencies and countries, converted with the rates of the day where it names none. It changes nothing, and the price need not exist.',
        body: PriceAmountsInput,
        response: { 200: Type.Object({ price_amounts: Type.Array(named(PriceAmount)) }) },
      },
    },
    async ({ body, caller }) => ({
      price_amounts: presentAmounts(body, await readDayRates(db), now(caller.companyId)),
    }),
  )

  done()
}
