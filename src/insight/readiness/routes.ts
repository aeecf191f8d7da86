import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
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
        querystring: Fields,
        response: { 200: Type.Object({ readiness: named(Readiness) }) },
      },
    },
    async (request, reply) => {
      const steps = stepsOf(await readSetUp(db, request.caller.companyId, sendsMails, now(request.caller.companyId)))
      return sendDocument(request, reply, 'readiness', asciiJson(presentReadiness(steps)))
    },
  )

  done()
}
