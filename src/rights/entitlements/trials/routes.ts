import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentTrial } from './present.ts'
import { readTriedLicense } from './queries.ts'
import { readSituation } from './rules.ts'
import { LicenseTrial, LicenseTrialInput } from './schema.ts'

export const licenseTrialRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.post(
    '/license_trials.json',
    {
      config: { access: { scope: 'products' } },
      schema: {
        tags: ['Licenses'],
        operationId: 'tryLicense',
        summary: 'Try a license out',
        description:
          'Asks the rules that decide about real purchases what would come of a situation: bought then, used so, and asked now. It changes nothing, and the license need not exist.',
        body: LicenseTrialInput,
        response: { 200: Type.Object({ license_trial: named(LicenseTrial) }) },
      },
    },
    async ({ body, caller }) => {
      const license = await readTriedLicense(db, caller.companyId, body, now(caller.companyId))
      return { license_trial: presentTrial(readSituation(license, body), body.language ?? 'en') }
    },
  )

  done()
}
