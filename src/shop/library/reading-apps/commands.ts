import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { isBeingPreparedProblem } from '#rights/content-files/errors.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { preparePublication, takeReadingLicense } from '#rights/reading-licenses/commands.ts'
import { readLicenses } from '#rights/reading-licenses/queries.ts'
import { choosePublication, protectedFiles } from '#rights/reading-licenses/sources.rules.ts'
import { removeReaders, returnLicense } from '#rights/reading-licenses/status.commands.ts'

type Dependencies = {
  db: Db
  vault: Vault
  now: CompanyTime
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

const NO_APP = 0
/** People see a page after this time, which says that they have to wait. */
const WAIT_MS = 2000

/** Gives the customer a license for reading apps. */
export async function setUpReading(
  work: Dependencies,
  { companyId, customerId, orderIds }: CustomerSession,
  grant: Grant,
  fileId: number,
): Promise<'given' | 'refused' | 'being prepared'> {
  const { vault, change, now } = work
  if (!protectedFiles(grant).some(({ id }) => id === fileId)) return 'refused'
  await preparePublication(work, grant, choosePublication(grant, fileId), WAIT_MS)
  const viewer = { companyId, customerId, orderIds, appId: NO_APP }
  try {
    const { license } = await change((tx) =>
      takeReadingLicense(tx, vault, viewer, String(grant.entitlement.id), fileId, now(companyId)),
    )
    return license === undefined ? 'refused' : 'given'
  } catch (error) {
    if (isBeingPreparedProblem(error)) return 'being prepared'
    throw error
  }
}

/** Removes all reading apps that have opened a license of the customer. */
export async function removeReadingApps(
  { db, now, change }: Dependencies,
  grant: Grant,
  licenseId: number,
): Promise<void> {
  const { company_id, id } = grant.entitlement
  const license = (await readLicenses(db, company_id, id)).find((each) => each.id === licenseId)
  if (license !== undefined) await change((tx) => removeReaders(tx, license, now(company_id)))
}

/** Returns what the customer has of this purchase; a license that is not there any more is returned already. */
export async function returnReading({ db, now, change }: Dependencies, grant: Grant, licenseId: number): Promise<void> {
  const { company_id, id } = grant.entitlement
  const license = (await readLicenses(db, company_id, id)).find((each) => each.id === licenseId)
  if (license === undefined || license.returned_at !== null) return
  await change((tx) => returnLicense(tx, license, { id: 'my-content', name: 'My Content' }, now(company_id)))
}
