import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { entitlementNotFound } from '../errors.ts'
import { membershipParts } from '../memberships/expressions.queries.ts'
import { type GroupFacts, readGroupFacts } from '../memberships/queries.ts'
import { entitlementsOf, isId, type KnownDevice, language, releasedAt, type Viewer, withDevice } from '../queries.ts'
import type { Rights } from '../rights/state.ts'
import { readOpenedRights, readRights, type StoredTerms, type StoredUsage } from '../rules.ts'
import type { EntitlementState } from '../state.ts'

/** What a customer owns has these itself, and what a member has opened has those of the group and the membership. */
const own = {
  terms: sql<Row<'entitlements'>['terms'] | null>`case when entitlements.group_id is null then entitlements.terms end`,
  usage: sql<Row<'entitlements'>['usage'] | null>`case when entitlements.group_id is null then entitlements.usage end`,
}

/** A check reads what the engine looks at, and nothing else. */
const selectRights = prepare((db: Db, companyId: number, id: number, deviceId: string) =>
  withDevice(entitlementsOf(db, companyId), deviceId)
    .select([
      'entitlements.company_id',
      'entitlements.id',
      'entitlements.customer_id',
      'entitlements.product_type',
      'entitlements.num_users',
      'entitlements.acquired_at',
      'entitlements.first_used_at',
      'entitlements.revoked',
      'entitlements.on_hold',
      'entitlements.suspended',
      'entitlements.group_id',
    ])
    .select([own.terms.as('terms'), own.usage.as('usage'), membershipParts.as('parts')])
    .select([releasedAt.as('released_at'), language.as('spoken')])
    .where('entitlements.id', '=', id)
    .$narrowType<Pick<EntitlementState, 'revoked'> & { terms: StoredTerms | null; usage: StoredUsage | null }>()
    .compile(),
)

/** What a decision depends on, without the rest of the entitlement. */
export type Decidable = {
  company_id: number
  id: number
  rights: Rights
  language: string
  device: KnownDevice
}

/** The rights of a customer, with a device; those of another company or customer are not found. */
export async function getRights(
  db: Db,
  { companyId, customerId }: Viewer,
  ref: string,
  deviceId: string,
  groupFacts: GroupFacts = (...group) => readGroupFacts(db, ...group),
): Promise<Decidable> {
  const [row] = isId(ref) ? await selectRights(db, companyId, Number(ref), deviceId) : []
  if (row === undefined || (customerId !== null && row.customer_id !== customerId)) throw entitlementNotFound(ref)
  return {
    company_id: row.company_id,
    id: row.id,
    language: row.spoken,
    device: { is_known: row.is_known, last_seen_at: row.last_seen_at, last_client_time: row.last_client_time },
    rights: {
      product_type: row.product_type,
      users: row.num_users ?? 1,
      released_at: row.released_at,
      first_used_at: row.first_used_at,
      revoked: row.revoked,
      on_hold: row.on_hold,
      suspended: row.suspended,
      ...(await storedRights(row, groupFacts)),
    },
  }
}

type ForCheck = Awaited<ReturnType<typeof selectRights>>[number]

async function storedRights({ company_id, group_id, acquired_at, ...row }: ForCheck, groupFacts: GroupFacts) {
  const { terms, usage, parts } = row
  if (terms !== null && usage !== null)
    return readRights({ group_id: null, terms, usage, acquired_at, membership: null })
  if (group_id === null || parts === null) throw new Error('an entitlement has neither terms of its own nor a group')
  const group = await groupFacts(company_id, group_id)
  return readOpenedRights({ group_id, acquired_at, membership: group === undefined ? null : { group, parts } })
}
