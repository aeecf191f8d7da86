import { sql } from 'kysely'
import { type Actor, removePermission } from '#identity/grants/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'

const AT_ONCE = 50

/** Removes the apps of a company that is deleted from some of the companies that have let them in. Returns how many. */
export async function endApps(tx: Tx, companyId: number, actor: Actor, now: Date): Promise<number> {
  const { rows } = await sql<Columns<'apps', 'id' | 'name'> & { installed: number }>`
    select distinct apps.id, apps.name, grants.company_id as installed
    from apps join grants on grants.app_id = apps.id and grants.revoked_at is null
    where apps.company_id = ${companyId} order by grants.company_id, apps.id limit ${AT_ONCE}`.execute(tx)
  for (const { id, name, installed } of rows) await removePermission(tx, installed, { id, name }, actor, now)
  return rows.length
}

/**
 * Deletes the apps of a company that is deleted. Those that records of other companies name stay, and can do nothing. Returns how
 * many were deleted.
 */
export async function deleteApps(tx: Tx, companyId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from apps where company_id = ${companyId}
    and not exists (select from grants where grants.app_id = apps.id)
    and not exists (select from webhooks where webhooks.app_id = apps.id)
    and not exists (select from webhook_blocks where webhook_blocks.app_id = apps.id)`.execute(tx)
  await tx
    .updateTable('apps')
    .set({
      secret_hash: tokenHash(randomToken()),
      previous_secret_hash: null,
      previous_sealed_secret: null,
      previous_secret_until: null,
      redirect_uris: [],
      scopes: [],
      developer_email: '',
      data_change_sync_url: null,
    })
    .where('company_id', '=', companyId)
    .execute()
  return Number(numAffectedRows)
}
