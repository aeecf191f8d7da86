import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { etagOf, wrap } from '#platform/http/answers/answers.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { changePrices } from '../commands.ts'
import { readVersions } from '../queries.ts'
import { presentChange } from './present.ts'
import { changeByPercent } from './rules.ts'
import { PriceChange, PriceChangeInput } from './schema.ts'

const changing = { access: { permissions: ['request_products'] } } as const
const tags = ['Prices']
const Body = Type.Object({ price_change: PriceChangeInput })
const Changes = Type.Object({ price_changes: Type.Array(named(PriceChange)) })

/** The version of a price that a read of it alone has. */
const versionOf = (document: string) => etagOf(Buffer.from(wrap('price', document), 'latin1'))

/** Changes many prices at once, all of them or none. */
export const percentChangeRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.post(
    '/price_changes/preview.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'previewPriceChange',
        summary: 'Show what a change of prices by percent would do',
        body: Body,
        response: { 200: Changes },
      },
    },
    async ({ body: { price_change: input }, caller }) => {
      const ids = input.prices.map(({ id }) => id)
      const found = await readVersions(db, caller.companyId, ids, versionOf)
      const etags = new Map(found.map(({ price, etag }) => [price.id, etag]))
      return {
        price_changes: changeByPercent(input, found, now(caller.companyId)).map((changed) =>
          presentChange(changed, etags.get(changed.before.id) ?? ''),
        ),
      }
    },
  )

  app.post(
    '/price_changes.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'changePrices',
        summary: 'Change prices by percent',
        description:
          'All of them change or none. Orders that exist keep the prices that they were sold for. A price that somebody else has changed since is named in `errors`, by its `etag`.',
        body: Body,
        response: { 200: Changes },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'price_changes', (tx) =>
        changePrices(tx, authorOf(request), request.body.price_change, versionOf, now(request.caller.companyId)),
      ),
  )

  done()
}
