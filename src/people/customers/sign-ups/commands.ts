import { sql } from 'kysely'
import { type CompanyTime, type MachineClock, nowInSeconds } from '#platform/clock.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { createCustomer } from '../commands.ts'
import { linkExpiry } from '../links/rules.ts'
import { findAccountByEmail, type OwnCustomer } from '../queries.ts'
import { findSignUp, type SignUp } from './queries.ts'

/** Remembers a sign-up and returns the token of its link, which is not stored. Earlier ones for the address end. */
export async function createSignUp(tx: Tx, signUp: SignUp, now: Date): Promise<string> {
  const { companyId, themeSettingId, email, firstName, lastName, language } = signUp
  await tx.deleteFrom('customer_sign_ups').where('company_id', '=', companyId).where('email', '=', email).execute()
  const token = randomToken()
  await tx
    .insertInto('customer_sign_ups')
    .values({
      token_hash: tokenHash(token),
      company_id: companyId,
      theme_setting_id: themeSettingId,
      email,
      first_name: firstName,
      last_name: lastName,
      language,
      created_at: now,
      expires_at: linkExpiry(now),
    })
    .execute()
  return token
}

/** The account exists by now, so that the link is of no use any more; or it never was. */
export type SignUpOutcome = { kind: 'created'; customer: OwnCustomer } | { kind: 'void' }

/** Creates the account of somebody who has followed the link to their address, with the password that they chose. */
export async function confirmSignUp(
  tx: Tx,
  shop: Pick<SignUp, 'companyId' | 'themeSettingId'>,
  token: string,
  passwordHash: string,
  { now, clock }: { now: CompanyTime; clock: MachineClock },
): Promise<SignUpOutcome> {
  const signUp = await findSignUp(tx, shop, token, nowInSeconds(clock))
  if (signUp === undefined) return { kind: 'void' }
  const { companyId, email, firstName, lastName, language } = signUp
  const ended = await tx
    .deleteFrom('customer_sign_ups')
    .where('company_id', '=', companyId)
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  if (ended.numDeletedRows === 0n || (await findAccountByEmail(tx, email)) !== undefined) return { kind: 'void' }
  const input = { email, first_name: firstName, last_name: lastName, language }
  const credentials = { kind: 'new', passwordHash } as const
  const { state } = await createCustomer(tx, { companyId }, input, credentials, now(companyId), { isVerified: true })
  return { kind: 'created', customer: state }
}

export function deleteOldSignUps(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'customer_sign_ups', 'expires_at', sql`expires_at <= ${now}`)
}
