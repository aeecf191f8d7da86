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
  const row = await tx
    .insertInto('membership_uses')
    .values({ company_id, group_id, customer_id: holderOf(group_id, customer_id), usage: JSON.stringify(NO_USAGE) })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'group_id', 'customer_id'])
        .doUpdateSet((update) => ({ usage: update.ref('membership_uses.usage') })),
    )
    .returning('usage')
    .$narrowType<{ usage: StoredUsage }>()
    .executeTakeFirstOrThrow()
  return readUsage(row.usage)
}
