import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { missingPermission } from '#platform/identity/caller.ts'
import { named } from '#platform/wire/schema.ts'
import { withoutSecret } from './present.ts'
import { getCompanyDocument, lockCompany } from './queries.ts'
import { Company, OwnCompanyInput } from './schema.ts'
import { updateSettings } from './settings.commands.ts'

const reading = { access: {} } as const
const changing = { access: { permissions: ['create_users'] } } as const
/** Who may read the secret: those who also register apps, and decide who else gets in. */
const SECRETS = changing.access.permissions
const tags = ['Companies']
const One = Type.Object({ company: named(Company) })

const ownCompany = single(
  'company',
  async (db, { caller }: Asked<unknown>) => {
    const document = await getCompanyDocument(db, caller.companyId, String(caller.companyId))
    return missingPermission(caller, SECRETS) === undefined ? document : withoutSecret(document)
  },
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
        description: 'Without `external_access_token` for users who lack the permission `create_users`.',
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
      app.write(request, reply, ownCompany, (tx) =>
        updateSettings(tx, authorOf(request), request.body.company, now(request.caller.companyId)),
      ),
  )

  done()
}
