import { findLink } from '#customers/links/queries.ts'
import { getAccount } from '#customers/queries.ts'
import { listCustomerSessions } from '#customers/sessions/queries.ts'
import type { CustomerSession } from '#customers/sessions/state.ts'
import { listDevices } from '#entitlements/devices/queries.ts'
import type { DeviceState } from '#entitlements/devices/state.ts'
import type { Db } from '#platform/db/database.ts'

/** The sessions of a customer in the shops of the company, with a mark at the one that asks. */
export async function readSessions(db: Db, session: CustomerSession, now: Date) {
  const sessions = await listCustomerSessions(db, session, now)
  return sessions.map((each) => ({ ...each, is_current: each.key === session.key }))
}

const DEVICES_MAX = 200

export async function readDevices(db: Db, { companyId, customerId }: CustomerSession): Promise<DeviceState[]> {
  return listDevices(db, { companyId, customerId })({ after: 0, limit: DEVICES_MAX, offset: 0 })
}

export async function hasPassword(db: Db, { companyId, customerId }: CustomerSession): Promise<boolean> {
  return (await getAccount(db, companyId, String(customerId))).password_hash !== null
}

export type AccountLink = { kind: 'password' | 'proof'; token: string; email: string; newEmail: string | null }

/** A mailed link about an account that the company of a shop asked for; undefined if it is unknown, used or expired. */
export async function findAccountLink(
  db: Db,
  companyId: number,
  token: string,
  now: Date,
): Promise<AccountLink | undefined> {
  const link = await findLink(db, token, now)
  if (link?.companyId !== companyId || (link.kind !== 'password' && link.kind !== 'proof')) return undefined
  return { kind: link.kind, token, email: link.email, newEmail: link.newEmail }
}
