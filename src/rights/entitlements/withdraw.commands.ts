import type { Tx } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'

/**
 * Deletes entitlements as if they had never been given, for a gift that is undone. Where somebody has used one, revoke it
 * instead: its uses are on record.
 */
export async function withdrawUnused(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('entitlements')
    .where('company_id', '=', companyId)
    .where('id', '=', anyOf(ids))
    .where('first_used_at', 'is', null)
    .execute()
}
