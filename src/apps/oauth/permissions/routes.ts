import type { FastifyPluginCallback } from 'fastify'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { listAllowedApps, listCustomerApps } from '../queries.ts'
import { removeApp } from './commands.ts'
import { permissionsPage } from './views.ts'

const own = { config: { session: true, access: {} }, schema: { hide: true } } as const
const removing = { config: { session: true, access: { permissions: ['create_users'] } } } as const
const removalForm = { hide: true, body: formBody({ app: 'word' }) } as const

export const permissionRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, now, menu }, done) => {
  app.get('/account/apps', own, async (request, reply) => {
    const reader = readerOf(request)
    const isRemoved = queryText(request, 'told') === 'removed'
    const { companyId } = request.session
    const [apps, customerApps] = await Promise.all([listAllowedApps(db, companyId), listCustomerApps(db, companyId)])
    return reply.page(
      permissionsPage(reader, menu, {
        csrf: reply.csrfToken(),
        apps,
        customerApps,
        told: isRemoved ? reader.t('account.apps.removed') : undefined,
      }),
    )
  })

  app.post('/account/apps', { ...removing, schema: removalForm }, async (request, reply) => {
    const id = Number(formOf(request, 'app').app)
    await app.change((tx) => removeApp(tx, request.session, id, originOf(request), now()))
    return reply.redirect('/account/apps?told=removed', 303)
  })

  done()
}
