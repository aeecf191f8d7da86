import type { Db } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'

/** A person who wants an account in a shop. */
export type SignUp = {
  companyId: number
  themeSettingId: number
  email: string
  firstName: string
  lastName: string
  language: string
}

/** The sign-up of a mailed link in one shop; undefined if it is unknown, used or expired. */
export function findSignUp(
  db: Db,
  { companyId, themeSettingId }: Pick<SignUp, 'companyId' | 'themeSettingId'>,
  token: string,
  now: Date,
): Promise<SignUp | undefined> {
  return db
    .selectFrom('customer_sign_ups')
    .select([
      'company_id as companyId',
      'theme_setting_id as themeSettingId',
      'email',
      'first_name as firstName',
      'last_name as lastName',
      'language',
    ])
    .where('company_id', '=', companyId)
    .where('theme_setting_id', '=', themeSettingId)
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
}
