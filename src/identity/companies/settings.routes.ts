import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { getCompanyDocument, lockCompany } from './queries.ts'
import { Company, OwnCompanyInput } from './schema.ts'
import { updateSettings } from './settings.commands.ts'

const reading = { access: {} } as const
const changing = { access: { permissions: ['create_users'] } } as const
const tags = ['Companies']
const One = Type.Object({ company: named(Company) })

const ownCompany = single(
  'company',
  async (db, { caller: { companyId } }: Asked<unknown>) => getCompanyDocument(db, companyId, String(companyId)),
  (tx, { caller }) => lockCompany(tx, caller.companyId, String(caller.companyId)),
)

/** The own company. Some of its settings are only read by apps, and changed by the users of the company. */
export const companySettingsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/company.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getOwnCompany',
        summary: 'Read the own company',
        querystring: Fields,
        response: { 200: One, 304: Type.Null({ description: 'Nothing changed.' }) },
      },
    },
    async (request, reply) => sendSingle(request, reply, ownCompany, db),
  )

  app.put(
    '/company.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateOwnCompany',
        summary: 'Change the own company',
        description: 'Orders that exist stay as they are.',
        body: Type.Object({ company: OwnCompanyInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, ownCompany, (tx) => updateSettings(tx, authorOf(request), request.body.company, now())),
  )

  done()
}
