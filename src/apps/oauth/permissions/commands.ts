import { removePermission } from '#identity/grants/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Session } from '#platform/identity/session.ts'
import { listAllowedApps, listCustomerApps } from '../queries.ts'

/** Removes an app that the company of the signed-in user, or its customers, have allowed; any other id changes nothing. */
export async function removeApp(
  tx: Tx,
  { companyId, userId }: Session,
  appId: number,
  origin: Origin,
  now: Date,
): Promise<void> {
  const apps = [...(await listAllowedApps(tx, companyId)), ...(await listCustomerApps(tx, companyId))]
  const allowed = apps.find(({ app_id }) => app_id === appId)
  if (allowed === undefined) return
  await removePermission(tx, companyId, { id: appId, name: allowed.name }, { userId, origin }, now)
}
