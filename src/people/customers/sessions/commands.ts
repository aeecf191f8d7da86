import { sql } from 'kysely'
import { browserName } from '#identity/users/sessions/rules.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { asOneStatement, prepareInsert } from '#platform/db/writes.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { networkPrefix } from '#platform/outbound/addresses.ts'
import { seenBefore, sessionExpiry } from './rules.ts'
import type { CustomerSession } from './state.ts'

export type NewSession = Pick<CustomerSession, 'companyId' | 'themeSettingId' | 'customerId'> & {
  /** For a guest, whose session is open for these orders only. */
  orderIds?: readonly number[]
  userAgent: string
  /** The network address of the request. */
  address: string
}

const insertSession = prepareInsert('customer_sessions', {
  browser: true,
  company_id: true,
  created_at: true,
  customer_id: true,
  expires_at: true,
  handover_state: true,
  network: true,
  order_ids: true,
  parent_hash: true,
  seen_at: true,
  theme_setting_id: true,
  token_hash: true,
})

/** Opens a session and returns its token, which goes to one browser only. Lock the customer's account first. */
export async function startCustomerSession(tx: Tx, session: NewSession, now: Date): Promise<string> {
  const token = randomToken()
  await asOneStatement(tx, () => [
    insertSession(tx, {
      token_hash: tokenHash(token),
      company_id: session.companyId,
      theme_setting_id: session.themeSettingId,
      customer_id: session.customerId,
      order_ids: session.orderIds === undefined ? null : [...session.orderIds],
      browser: browserName(session.userAgent),
      network: networkPrefix(session.address),
      created_at: now,
      seen_at: now,
      expires_at: sessionExpiry(now, now),
      handover_state: null,
      parent_hash: null,
    }),
  ])
  return token
}

/** Opens the session of a guest for another order of the same browser. */
export async function addOrderToSession(
  tx: Tx,
  { companyId, customerId, key }: Pick<CustomerSession, 'companyId' | 'customerId' | 'key'>,
  orderId: number,
): Promise<void> {
  await tx
    .updateTable('customer_sessions')
    .set({ order_ids: sql<Row<'customer_sessions'>['order_ids']>`array_append(order_ids, ${orderId}::bigint)` })
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .where((where) => {
      const hash = Buffer.from(key, 'hex')
      return where.or([where('token_hash', '=', hash), where('parent_hash', '=', hash)])
    })
    .where('order_ids', 'is not', null)
    .execute()
}

/** Should this use of a session be noted? */
export function isSessionDue({ seenAt }: CustomerSession, now: Date): boolean {
  return seenAt <= seenBefore(now)
}

/** Extends a session that is in use, up to the maximum. Of many requests at once, one writes. */
export async function touchCustomerSession(tx: Tx, session: CustomerSession, now: Date): Promise<void> {
  await tx
    .updateTable('customer_sessions')
    .set({ seen_at: now, expires_at: sessionExpiry(session.createdAt, now) })
    .where('company_id', '=', session.companyId)
    .where('token_hash', 'in', [Buffer.from(session.key, 'hex'), Buffer.from(session.firstKey, 'hex')])
    .where('seen_at', '<=', seenBefore(now))
    .execute()
}

/** Ends the session of a cookie, whoever it belongs to: another one takes its place in the browser. */
export async function endSessionOfCookie(tx: Tx, companyId: number, token: string): Promise<void> {
  await tx
    .deleteFrom('customer_sessions')
    .where('company_id', '=', companyId)
    .where('token_hash', '=', tokenHash(token))
    .execute()
}

/** Ends one session of a customer in the shops of a company. The key is that of any of the customer's sessions. */
export async function endCustomerSession(
  tx: Tx,
  { companyId, customerId, key }: Pick<CustomerSession, 'companyId' | 'customerId' | 'key'>,
): Promise<void> {
  await tx
    .deleteFrom('customer_sessions')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .where('token_hash', '=', Buffer.from(key, 'hex'))
    .execute()
}

/** Ends all sessions of a customer in the shops of one company. */
export async function endSessionsAtCompany(
  tx: Tx,
  { companyId, customerId }: Pick<CustomerSession, 'companyId' | 'customerId'>,
): Promise<void> {
  await tx
    .deleteFrom('customer_sessions')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .execute()
}

/** Ends all sessions of an account, in the shops of every company. Lock the account first. */
export async function endSessionsOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.deleteFrom('customer_sessions').where('customer_id', '=', customerId).execute()
}

export function deleteOldCustomerSessions(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'customer_sessions', 'expires_at', sql`expires_at <= ${now}`)
}
