import { sql } from 'kysely'
import { findCompany } from '#identity/companies/queries.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { AccountState } from '../state.ts'
import { requestMail } from './mails.ts'
import { countRequests } from './queries.ts'
import {
  expiryOf,
  linkAddress,
  linkExpiry,
  type Purpose,
  REQUESTS_A_DAY_MAX,
  type Request,
  signInLinkExpiry,
} from './rules.ts'

/** Lock the customer's account before creating, using or ending a link. */
export type NewLink = (Purpose | { kind: 'deletion'; newEmail: null }) & { companyId: number; customerId: number }

/** Creates a link and returns its address; its token is not stored. Earlier links of the kind for the customer end. */
export async function createLink(tx: Tx, link: NewLink, baseUrl: string, now: Date): Promise<string> {
  const { kind, newEmail, companyId, customerId } = link
  await tx
    .updateTable('customer_links')
    .set({ ended_at: now })
    .where('customer_id', '=', customerId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .execute()
  const token = randomToken()
  await tx
    .insertInto('customer_links')
    .values({
      token_hash: tokenHash(token),
      company_id: companyId,
      customer_id: customerId,
      kind,
      new_email: newEmail,
      created_at: now,
      expires_at: expiryOf(kind, now),
    })
    .execute()
  return linkAddress(baseUrl, token)
}

/**
 * Creates a link with which a customer signs in without a password, to answer the request of an app. Returns its token,
 * which is not stored. Lock the customer's account first.
 */
export async function createSignInLink(
  tx: Tx,
  { companyId, customerId, query }: { companyId: number; customerId: number; query: string },
  now: Date,
): Promise<string> {
  const token = randomToken()
  await tx
    .insertInto('customer_links')
    .values({
      token_hash: tokenHash(token),
      company_id: companyId,
      customer_id: customerId,
      kind: 'sign-in',
      query,
      created_at: now,
      expires_at: signInLinkExpiry(now),
    })
    .execute()
  return token
}

/** Marks a link as used. */
export async function endLink(tx: Tx, token: string, now: Date): Promise<void> {
  await tx
    .updateTable('customer_links')
    .set({ ended_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends all links of a customer, because the change was made. */
export async function endLinks(tx: Tx, customerId: number, now: Date): Promise<void> {
  await tx
    .updateTable('customer_links')
    .set({ ended_at: now })
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends the links that one company requested. They still count, or a company could reset the limit by leaving. */
export async function endLinksOf(tx: Tx, companyId: number, customerId: number, now: Date): Promise<void> {
  await tx
    .updateTable('customer_links')
    .set({ ended_at: now })
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Deletes links that cannot be used any more. */
export function deleteOldCustomerLinks(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'customer_links', 'expires_at', sql`expires_at <= ${now}`)
}

/** Asks a customer by mail for a change that the company may not make, up to the daily limit. */
export async function askCustomer(
  tx: Tx,
  { id, email, language, state }: AccountState,
  companyId: number,
  request: Request,
  baseUrl: string,
  now: Date,
): Promise<void> {
  if (state !== 'enabled' || (await countRequests(tx, id, now)) >= REQUESTS_A_DAY_MAX) return
  const link = await createLink(tx, { ...request, companyId, customerId: id }, baseUrl, now)
  const companyName = (await findCompany(tx, companyId))?.company_name ?? ''
  const mail = requestMail({ ...request, language, companyName, link, expires: linkExpiry(now) })
  // The mail belongs to no company: a company that could read it could take over the account.
  await queueMail(tx, { companyId: null, to: email, ...mail, carriesSecret: true }, now)
}
