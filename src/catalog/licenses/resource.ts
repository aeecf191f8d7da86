import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { saveLicense } from './commands.ts'
import { LICENSES, lockLicenses, readLicenseIds } from './queries.ts'
import { licenseChangeRoutes, licenseRoutes } from './routes.ts'
import { License, LicenseUse } from './schema.ts'

export const licenses: Resource = {
  tags: [{ name: 'Licenses', description: 'The terms under which content is sold.' }],
  schemas: [License, LicenseUse],
  routes: [licenseRoutes],
  userRoutes: [licenseChangeRoutes],
  documents: [
    {
      name: 'licenses',
      readIds: readLicenseIds,
      rewrite: async (tx, companyId, ids) => {
        for (const license of await lockLicenses(tx, companyId, ids)) await saveLicense(tx, license)
      },
      recount: (tx, companyId) => resetCounter(tx, companyId, LICENSES),
    },
  ],
}
