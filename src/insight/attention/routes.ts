import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { readBackups } from './backups.files.ts'
import { createCertificateWatch } from './certificate.cache.ts'
import { readDisk } from './disk.files.ts'
import { presentAttention } from './present.ts'
import { readAttention, readBackupHealth } from './queries.ts'
import { mostUrgent, rightsOf } from './rules.ts'
import { Attention } from './schema.ts'

const config = { access: { scope: 'companies' } } as const

export const attentionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, clock, transfers, backups } = options
  const certificates = createCertificateWatch()

  app.get(
    '/attention.json',
    {
      config,
      schema: {
        tags: ['Companies'],
        operationId: 'getAttention',
        summary: 'Read what needs attention',
        description:
          'Orders to ship or to be paid, payments that were flagged, products that nobody can buy or of which few are left, files that no copy could be made of, reviews that wait, webhooks that fail, mails that could not be sent, work that was given up, a disk that is nearly full, a certificate that ends soon, a backup that has failed or is old where the operator lets the company see backups. Only what the scopes of the token and the permissions of the user would show elsewhere.',
        querystring: Fields,
        response: { 200: Type.Object({ attention: named(Attention) }) },
      },
    },
    async (request, reply) => {
      const { caller } = request
      const rights = rightsOf({
        permissions: caller.kind === 'customer' ? new Set() : caller.permissions,
        scopes: caller.kind === 'user' ? undefined : caller.scopes,
      })
      const isOperator = rights.service && caller.kind === 'user' && caller.companyId === backups?.companyId
      const [found, disk, backup] = await Promise.all([
        readAttention(db, caller.companyId, rights),
        rights.service ? readDisk(transfers.uploadFolder) : undefined,
        isOperator && backups !== undefined
          ? readBackups(backups.folder, await readBackupHealth(db), nowInSeconds(clock))
          : undefined,
      ])
      const certificate = rights.service ? certificates.find(app.baseUrl, nowInSeconds(clock)) : undefined
      const ofService = [disk, certificate, backup].filter((each) => each !== undefined)
      const items = mostUrgent([...ofService, ...found]).map(presentAttention)
      return sendDocument(request, reply, 'attention', asciiJson({ items }))
    },
  )

  done()
}
