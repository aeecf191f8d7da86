import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { type Actor, announceRevocation, revokeGrantsOfUser } from './commands.ts'

const USERS_AT_ONCE = 20
const GRANTS_AT_ONCE = 500

/** Revokes what some users of a company that is deleted have allowed apps, also for other companies. Returns how many users. */
export async function revokeGrantsBy(tx: Tx, companyId: number, actor: Actor, now: Date): Promise<number> {
  const { rows } = await sql<Columns<'users', 'id'>>`select id from users
    where company_id = ${companyId} and exists (
      select from grants where grants.user_id = users.id and grants.revoked_at is null)
    order by id limit ${USERS_AT_ONCE}`.execute(tx)
  for (const { id } of rows) await revokeGrantsOfUser(tx, id, actor, now)
  return rows.length
}

/** Deletes a batch of the grants of a company that is deleted, and of those that its users have made for others. */
export async function deleteGrantsBy(tx: Tx, companyId: number): Promise<number> {
  const { rows } = await sql<Columns<'grants', 'company_id' | 'id'>>`
    select company_id, id from grants where (company_id, id) in (
      select own.company_id, own.id from grants as own where own.company_id = ${companyId}
      union all select given.company_id, given.id from users
        join grants as given on given.user_id = users.id where users.company_id = ${companyId}
      limit ${GRANTS_AT_ONCE}) for update`.execute(tx)
  const companies = rows.map(({ company_id }) => company_id)
  const ids = rows.map(({ id }) => id)
  // Refresh tokens go with their grants.
  await sql`delete from access_tokens using unnest(${companies}::bigint[], ${ids}::bigint[]) as gone (company_id, grant_id)
    where access_tokens.company_id = gone.company_id and access_tokens.grant_id = gone.grant_id`.execute(tx)
  await sql`delete from grants using unnest(${companies}::bigint[], ${ids}::bigint[]) as gone (company_id, id)
    where grants.company_id = gone.company_id and grants.id = gone.id`.execute(tx)
  if (rows.length > 0) await announceRevocation(tx)
  return rows.length
}
