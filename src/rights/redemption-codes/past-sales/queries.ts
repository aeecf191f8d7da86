import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'
import { codesOf } from '../queries.ts'

/** A code as an import has made it, with what it gave. */
export type RedeemedCode = {
  id: number
  title: string
  note: string
  uses_max: number
  uses: number
  uses_ended: number
  expires_at: Date | null
  revoked_at: Date | null
  entitlement_ids: number[]
  /** How many of these were used, revoked or extended since they were given. */
  touched: number
  is_gift: boolean
}

/** Codes by id; unknown ones are left out. */
export function readRedeemed(db: Db, companyId: number, ids: readonly number[]): Promise<RedeemedCode[]> {
  return codesOf(db, companyId)
    .select([
      'redemption_codes.id',
      'redemption_codes.title',
      'redemption_codes.note',
      'redemption_codes.uses_max',
      'redemption_codes.uses',
      'redemption_codes.uses_ended',
      'redemption_codes.expires_at',
      'redemption_codes.revoked_at',
      sql<number[]>`coalesce((select array_agg(entitlement.id order by entitlement.id) from redemptions as redeemed
        cross join lateral unnest(redeemed.entitlement_ids) as entitlement (id)
        where redeemed.company_id = redemption_codes.company_id and redeemed.code_id = redemption_codes.id), '{}')`.as(
        'entitlement_ids',
      ),
      sql<number>`(select count(*) from redemptions as redeemed
        cross join lateral unnest(redeemed.entitlement_ids) as entitlement (id)
        join entitlements as owned on owned.company_id = redeemed.company_id and owned.id = entitlement.id
        where redeemed.company_id = redemption_codes.company_id and redeemed.code_id = redemption_codes.id
          and (owned.first_used_at is not null or owned.revoked is not null
            or owned.updated_at > redeemed.created_at))`.as('touched'),
      sql<boolean>`exists (select from redemption_gifts as gift
        where gift.company_id = redemption_codes.company_id and gift.code_id = redemption_codes.id)`.as('is_gift'),
    ])
    .where('redemption_codes.id', '=', anyOf(ids))
    .execute()
}

export async function lockCodes(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  await codesOf(tx, companyId)
    .select('redemption_codes.id')
    .where('redemption_codes.id', '=', anyOf(ids))
    .orderBy('redemption_codes.id')
    .forUpdate()
    .execute()
}
