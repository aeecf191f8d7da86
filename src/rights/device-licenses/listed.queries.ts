import type { Db } from '#platform/db/database.ts'
import type { RowList } from '#platform/db/pages.ts'
import { getEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { presentShown } from './present.ts'
import { listDeviceLicenses } from './queries.ts'
import type { DeviceLicenseShown } from './schema.ts'
import type { DeviceLicense } from './state.ts'

type Listed = { list: RowList<DeviceLicense>; present: (license: DeviceLicense) => DeviceLicenseShown }

/** The licenses of an entitlement, and how they are shown at a time. */
export async function readListed(db: Db, viewer: Viewer, ref: string, now: Date): Promise<Listed> {
  const { entitlement } = await getEntitlement(db, viewer, ref)
  const rights = rightsOf(entitlement)
  return {
    list: listDeviceLicenses(db, entitlement.company_id, entitlement.id),
    present: (license) => presentShown(license, rights, now),
  }
}
