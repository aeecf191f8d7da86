import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentReadiness } from './present.ts'
import { readSetUp } from './queries.ts'
import { stepsOf } from './rules.ts'
import { Readiness } from './schema.ts'

const config = { access: { scope: 'companies', permissions: ['create_users'] } } as const

export const readinessRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, sendsMails }, done) => {
  app.get(
    '/readiness.json',
    {
      config,
      schema: {
        tags: ['Companies'],
        operationId: 'getReadiness',
        summary: 'Read what is left to do before the first sale',
        description: 'The steps in the order in which they are best done, each with what is missing.',
        response: { 200: Type.Object({ readiness: named(Readiness) }) },
      },
    },
    async ({ caller }) => ({
      readiness: presentReadiness(stepsOf(await readSetUp(db, caller.companyId, sendsMails, now()))),
    }),
  )

  done()
}
