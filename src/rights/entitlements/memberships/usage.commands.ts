import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { Usage } from '../rights/state.ts'
import { holderOf } from '../rules.ts'
import type { Opened } from './usage.queries.ts'

const updateUsage = prepareWrite(
  'update',
  'membership_uses',
  (tx: Tx, companyId: number, groupId: string, customerId: number, usage: string) =>
    sql`update membership_uses set usage = ${usage}::jsonb
      where company_id = ${companyId} and group_id = ${groupId} and customer_id = ${customerId}`.compile(tx),
)

/** Stores how a membership was used. Lock it before. */
export function saveUsage(tx: Tx, { company_id, customer_id, group_id }: Opened, usage: Usage): Promise<void> {
  return updateUsage(tx, company_id, group_id, holderOf(group_id, customer_id), JSON.stringify(usage))
}

/** Deletes how a customer has used memberships. What the members of a sharing group did together stays. */
export async function forgetMemberships(
  tx: Tx,
  { companyId, customerId }: { companyId: number; customerId: number },
): Promise<void> {
  await tx
    .deleteFrom('membership_uses')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .execute()
}
