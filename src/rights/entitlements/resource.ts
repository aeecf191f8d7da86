import { inBatches } from '#platform/db/batches.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { deviceChangeRoutes, deviceRoutes } from './devices/routes.ts'
import { Device } from './devices/schema.ts'
import { extensionRoutes } from './extensions/routes.ts'
import { membershipRoutes, openRoutes } from './memberships/routes.ts'
import { IncludedProduct, Membership } from './memberships/schema.ts'
import { offlineRoutes } from './offline/routes.ts'
import { LicenseFile } from './offline/schema.ts'
import { readEntitlementIds } from './queries.ts'
import { findNextRelease, releaseStarted, rewriteDocuments } from './release.commands.ts'
import { licenseTermsRoutes } from './rights/routes.ts'
import { LicenseInWords, LicenseTermsInWords } from './rights/schema.ts'
import { entitlementRoutes } from './routes.ts'
import { Decision, Entitlement, Explanation, Protection, Remaining } from './schema.ts'
import { licenseTrialRoutes } from './trials/routes.ts'
import { LicenseTrial } from './trials/schema.ts'
import { addUsesToDays, correctUsageDays, deleteOldUses } from './uses/commands.ts'
import { hasManyUsageChanges } from './uses/queries.ts'
import { useRoutes } from './uses/routes.ts'
import { Refusal, Use } from './uses/schema.ts'

const USES_AT_ONCE = 5000

export const entitlements: Resource = {
  tags: [
    { name: 'Entitlements', description: 'What customers own, and what they may do with it.' },
    { name: 'Memberships', description: 'The groups that customers are in, and what these let them use.' },
    { name: 'Devices', description: 'The devices that customers use content on.' },
  ],
  schemas: [
    Remaining,
    Protection,
    Entitlement,
    Decision,
    Explanation,
    Use,
    Refusal,
    Device,
    LicenseFile,
    LicenseTermsInWords,
    LicenseInWords,
    LicenseTrial,
    Membership,
    IncludedProduct,
  ],
  routes: [entitlementRoutes, membershipRoutes, extensionRoutes, deviceRoutes, licenseTermsRoutes, licenseTrialRoutes],
  appRoutes: [useRoutes, openRoutes, deviceChangeRoutes, offlineRoutes],
  due: ({ db }) => [
    {
      next: (companyId, after, until) => findNextRelease(db, companyId, after, until),
      run: (companyId, now) => inTransaction(db, (tx) => releaseStarted(tx, now, companyId)),
    },
  ],
  chores: ({ db, clock }) => ({
    'start content that is released': {
      everySeconds: 60,
      run: () => inBatches(db, (tx) => releaseStarted(tx, clock.now())),
    },
    'add up uses of content': {
      everySeconds: 5,
      run: () => inBatches(db, (tx) => addUsesToDays(tx, USES_AT_ONCE)),
      isBehind: () => hasManyUsageChanges(db),
    },
    'delete old uses of content': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldUses(tx, clock.now())),
    },
  }),
  documents: [{ name: 'entitlements', readIds: readEntitlementIds, rewrite: rewriteDocuments }],
  recount: correctUsageDays,
}
