import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'

/** An app that gets data change sync, with the company through which it does. */
export type SyncedApp = { id: number; company_id: number; url: string }

/**
 * The apps with a sync URL that are installed in one of these companies. An app that is installed in several of them is
 * told once, through the company with the lowest id.
 */
export async function listSyncedApps(db: Db, companyIds: readonly number[]): Promise<SyncedApp[]> {
  const { rows } = await sql<
    Columns<'apps', 'id'> & Columns<'grants', 'company_id'> & Pick<SyncedApp, 'url'>
  >`select apps.id, min(grants.company_id) as company_id, apps.data_change_sync_url as url
    from grants join apps on apps.id = grants.app_id
    where grants.company_id = any(${[...companyIds]}::bigint[]) and grants.revoked_at is null
      and grants.customer_id is null and apps.data_change_sync_url is not null
    group by apps.id, apps.data_change_sync_url order by apps.id`.execute(db)
  return rows
}

/** The sync URL of an app; null if it has none. */
export async function findSyncUrl(db: Db, appId: number): Promise<string | null> {
  const app = await db.selectFrom('apps').select('data_change_sync_url').where('id', '=', appId).executeTakeFirst()
  return app?.data_change_sync_url ?? null
}
