import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { readDisk } from './disk.files.ts'
import { presentAttention } from './present.ts'
import { readAttention } from './queries.ts'
import { mostUrgent, rightsOf } from './rules.ts'
import { Attention } from './schema.ts'

const config = { access: { scope: 'companies' } } as const

export const attentionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, transfers }, done) => {
  app.get(
    '/attention.json',
    {
      config,
      schema: {
        tags: ['Companies'],
        operationId: 'getAttention',
        summary: 'Read what needs somebody',
        description:
          'Orders to ship or to be paid, payments that were flagged, products that nobody can buy or of which few are left, webhooks that fail, mails that could not be sent, work that was given up, a disk that is nearly full. Only what the scopes of the token and the permissions of the user would show elsewhere.',
        response: { 200: Type.Object({ attention: named(Attention) }) },
      },
    },
    async ({ caller }) => {
      const rights = rightsOf({
        permissions: caller.kind === 'customer' ? new Set() : caller.permissions,
        scopes: caller.kind === 'user' ? undefined : caller.scopes,
      })
      const [found, disk] = await Promise.all([
        readAttention(db, caller.companyId, rights),
        rights.service ? readDisk(transfers.uploadFolder) : undefined,
      ])
      return { attention: { items: mostUrgent(disk === undefined ? found : [disk, ...found]).map(presentAttention) } }
    },
  )

  done()
}
