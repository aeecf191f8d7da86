import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentInWords, presentTerms } from './present.ts'
import { readDescribedLicenses } from './queries.ts'
import { LicenseInWords, LicenseTermsInput, LicenseTermsInWords } from './schema.ts'

export const licenseTermsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/license_terms.json',
    {
      config: { access: { scope: 'products' } },
      schema: {
        tags: ['Licenses'],
        operationId: 'listLicenseTerms',
        summary: 'Say the terms of all licenses in words',
        description: 'Of the general licenses and those of the company that are valid.',
        querystring: Type.Object({ language: LicenseTermsInput.properties.language }),
        response: { 200: Type.Object({ license_terms: Type.Array(named(LicenseInWords)) }) },
      },
    },
    async ({ caller, query }) => {
      const licenses = await readDescribedLicenses(db, caller.companyId)
      return { license_terms: licenses.map((license) => presentInWords(license, query.language ?? 'en')) }
    },
  )

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
    async ({ body, caller }) => ({ license_terms: presentTerms(body, now(caller.companyId)) }),
  )

  done()
}
