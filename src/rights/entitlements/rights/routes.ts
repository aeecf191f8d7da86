import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentTerms } from './present.ts'
import { LicenseTermsInput, LicenseTermsInWords } from './schema.ts'

export const licenseTermsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/license_terms.json',
    {
      config: { access: { scope: 'products' } },
      schema: {
        tags: ['Licenses'],
        operationId: 'describeLicenseTerms',
        summary: 'Say the terms of a license in words',
        description:
          'The sentences that a customer would read in the shop, for a license that exists or for one that is still to be made. It changes nothing.',
        body: LicenseTermsInput,
        response: { 200: Type.Object({ license_terms: named(LicenseTermsInWords) }) },
      },
    },
    async ({ body }) => ({ license_terms: presentTerms(body, now()) }),
  )

  done()
}
