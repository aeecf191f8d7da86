import type { Db, Tx } from '#platform/db/database.ts'
import type { Session } from '#platform/identity/session.ts'

type User = Pick<Session, 'companyId' | 'userId'>

function factorsOf(db: Db, { companyId, userId }: User) {
  return db.selectFrom('second_factors').where('company_id', '=', companyId).where('user_id', '=', userId)
}

/** Has the user turned a second factor on? */
export async function hasSecondFactor(db: Db, user: User): Promise<boolean> {
  const row = await factorsOf(db, user).select('user_id').where('confirmed_at', 'is not', null).executeTakeFirst()
  return row !== undefined
}

export function findSecondFactor(db: Db, user: User) {
  return factorsOf(db, user).select(['sealed_secret', 'confirmed_at']).executeTakeFirst()
}

/** Locks the second factor until the transaction ends, so that a code works only once. */
export function lockSecondFactor(tx: Tx, user: User) {
  return factorsOf(tx, user).select(['sealed_secret', 'used_step', 'confirmed_at']).forUpdate().executeTakeFirst()
}

export async function countRecoveryCodes(db: Db, { companyId, userId }: User): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
