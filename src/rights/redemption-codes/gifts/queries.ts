import type { Db } from '#platform/db/database.ts'
import { getRedemptionCode } from '../queries.ts'
import type { GiftState, ListedCode } from '../state.ts'

/** A gift that was mailed, with its code; undefined if it was not sent. */
export async function findSentGift(
  db: Db,
  companyId: number,
  id: number,
): Promise<{ gift: GiftState; code: ListedCode } | undefined> {
  const gift = await db
    .selectFrom('redemption_gifts')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('sent_at', 'is not', null)
    .executeTakeFirst()
  if (gift === undefined) return undefined
  return { gift, code: await getRedemptionCode(db, companyId, String(gift.code_id)) }
}
