import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { listAllowedApps, listCustomerApps } from '../queries.ts'
import { removeApp } from './commands.ts'
import { presentAppPermissions } from './present.ts'
import { AppPermission } from './schema.ts'

const reading = { access: {} } as const
const removing = { access: { permissions: ['create_users'] } } as const
const tags = ['Apps']

/** The apps that a company and its customers have let in. */
export const permissionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock }, done) => {
  app.get(
    '/app_permissions.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listAppPermissions',
        summary: 'List the apps that were let in',
        description: 'By users of the company, for it, or by its customers, for themselves.',
        response: { 200: Type.Object({ app_permissions: Type.Array(named(AppPermission)) }) },
      },
    },
    async ({ caller: { companyId } }) => {
      const [apps, customerApps] = await Promise.all([listAllowedApps(db, companyId), listCustomerApps(db, companyId)])
      return { app_permissions: presentAppPermissions(apps, customerApps) }
    },
  )

  app.delete(
    '/app_permissions/:id.json',
    {
      config: removing,
      schema: {
        tags,
        operationId: 'deleteAppPermission',
        summary: 'Remove an app',
        description: 'Its tokens for the company and for its customers end at once.',
        params: Type.Object({ id: PathPart('Id of the app.') }),
        response: { 200: named(Empty) },
      },
    },
    async (request) => {
      const { companyId, userId } = request.caller
      const actor = { companyId, userId, origin: originOf(request) }
      await app.change((tx) => removeApp(tx, actor, request.params.id, nowInSeconds(clock)))
      return {}
    },
  )

  done()
}
