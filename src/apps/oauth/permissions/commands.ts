import { removePermission } from '#identity/grants/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { appNotAllowed } from '../errors.ts'
import { listAllowedApps, listCustomerApps } from '../queries.ts'

type Remover = { companyId: number; userId: number | null; origin: Origin }

/** Removes an app that a company or its customers have let in. */
export async function removeApp(tx: Tx, { companyId, userId, origin }: Remover, ref: string, now: Date): Promise<void> {
  const apps = [...(await listAllowedApps(tx, companyId)), ...(await listCustomerApps(tx, companyId))]
  const allowed = apps.find(({ app_id }) => String(app_id) === ref)
  if (allowed === undefined) throw appNotAllowed(ref)
  await removePermission(tx, companyId, { id: allowed.app_id, name: allowed.name }, { userId, origin }, now)
}
