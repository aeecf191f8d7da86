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
async function lockUsage(tx: Tx, { company_id, customer_id, group_id }: Opened): Promise<Usage> {
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

type Holding = { entitlement: EntitlementState }

/** The uses of a membership are locked after its entitlements, by everybody. */
export async function withLockedUsage<Part extends Holding>(tx: Tx, part: Part): Promise<Part> {
  const { company_id, customer_id, group_id } = part.entitlement
  if (group_id === null) return part
  const usage = await lockUsage(tx, { company_id, customer_id, group_id })
  return { ...part, entitlement: { ...part.entitlement, usage } }
}

/** Locks the uses of several memberships, in one order for everybody. */
export async function withLockedUsages<Part extends Holding>(tx: Tx, parts: readonly Part[]): Promise<Part[]> {
  const usages = new Map<string, Usage>()
  const opened = parts.flatMap(({ entitlement: { company_id, customer_id, group_id } }) =>
    group_id === null ? [] : { company_id, customer_id, group_id },
  )
  for (const each of opened.sort(byHolder))
    if (!usages.has(keyOf(each))) usages.set(keyOf(each), await lockUsage(tx, each))
  return parts.map((part) => {
    const { group_id, ...rest } = part.entitlement
    const usage = group_id === null ? undefined : usages.get(keyOf({ ...rest, group_id }))
    return usage === undefined ? part : { ...part, entitlement: { ...part.entitlement, usage } }
  })
}

const keyOf = ({ group_id, customer_id }: Opened) => `${group_id} ${holderOf(group_id, customer_id)}`
const byHolder = (one: Opened, other: Opened) => (keyOf(one) < keyOf(other) ? -1 : 1)
