import { removePermission } from '#grants/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/origin.ts'
import type { Session } from '#platform/session.ts'
import { listAllowedApps } from '../queries.ts'

/** Removes an app that the company of the signed-in user has allowed; any other id changes nothing. */
export async function removeApp(
  tx: Tx,
  { companyId, userId }: Session,
  appId: number,
  origin: Origin,
  now: Date,
): Promise<void> {
  const allowed = (await listAllowedApps(tx, companyId)).find(({ app_id }) => app_id === appId)
  if (allowed === undefined) return
  await removePermission(tx, companyId, { id: appId, name: allowed.name }, { userId, origin }, now)
}
