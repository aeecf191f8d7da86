import type { FastifyPluginCallback } from 'fastify'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forBuyers, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { getOwned } from '../my-content/library.queries.ts'
import { removeReadingApps, returnReading, setUpReading } from './commands.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'vault'>

/** What customers do in My Content to read in an app: they get a license, and return what they have rented. */
export const readingAppRoutes: FastifyPluginCallback<Options> = (app, { db, now, vault }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app, { priority: 'high' })
  const work = { db, vault, now, change: app.change }

  routes.post(
    '/my-content/:id/reading',
    { body: formBody({ file_id: 'word' }) },
    forBuyers(async (request, reply, { session }) => {
      const { file_id } = formOf(request, 'file_id')
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      const place = `/my-content/${grant.entitlement.id}`
      const result = await setUpReading(work, session, grant, Number(file_id))
      return reply.toShop(result === 'being prepared' ? `${place}?encrypting=${Number(file_id)}` : `${place}#reading`)
    }),
  )

  routes.post(
    '/my-content/:id/return',
    { body: formBody({ license_id: 'word' }) },
    forBuyers(async (request, reply, { session }) => {
      const { license_id } = formOf(request, 'license_id')
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      await returnReading(work, grant, Number(license_id))
      return reply.toShop(`/my-content/${grant.entitlement.id}`)
    }),
  )

  routes.post(
    '/my-content/:id/reading-apps/remove',
    { body: formBody({ license_id: 'word' }) },
    forBuyers(async (request, reply, { session }) => {
      const { license_id } = formOf(request, 'license_id')
      const grant = await getOwned(db, session, pathPart(request, 'id'))
      await removeReadingApps(work, grant, Number(license_id))
      return reply.toShop(`/my-content/${grant.entitlement.id}#reading`)
    }),
  )

  done()
}
