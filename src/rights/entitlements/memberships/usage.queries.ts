import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { NO_USAGE } from '../rights/rules.ts'
import type { Usage } from '../rights/state.ts'
import { holderOf, readUsage, type StoredUsage } from '../rules.ts'
import type { EntitlementState } from '../state.ts'

/** Something that a member has opened. */
export type Opened = Pick<EntitlementState, 'company_id' | 'customer_id'> & { group_id: string }

/**
 * How a membership was used, locked until the transaction ends: what its members do happens one after another, so that the
 * last of two devices gets in once.
 */
export async function lockUsage(tx: Tx, { company_id, customer_id, group_id }: Opened): Promise<Usage> {
  const holder = holderOf(group_id, customer_id)
  const { rows } = await sql<{
    usage: StoredUsage
  }>`insert into membership_uses (company_id, group_id, customer_id, usage)
    values (${company_id}, ${group_id}, ${holder}, ${JSON.stringify(NO_USAGE)}::jsonb)
    on conflict (company_id, group_id, customer_id) do update set usage = membership_uses.usage
    returning usage`.execute(tx)
  return rows[0] === undefined ? NO_USAGE : readUsage(rows[0].usage)
}
