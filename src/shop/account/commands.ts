import { deleteCustomer } from '#people/customers/commands.ts'
import { createLink } from '#people/customers/links/commands.ts'
import { findDeletionLink, findLink } from '#people/customers/links/queries.ts'
import { findAccountByEmail, lockAccount } from '#people/customers/queries.ts'
import { changePassword, followLink } from '#people/customers/self-service/commands.ts'
import { endCustomerSession, endSessionsAtCompany } from '#people/customers/sessions/commands.ts'
import { lockSessionAccount } from '#people/customers/sessions/queries.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import { findShop, readShopSender } from '#people/player-tokens/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { removeDevice } from '#rights/entitlements/devices/commands.ts'
import { forgetSubscriber } from '#selling/subscriptions/forget.commands.ts'
import { type Entrance, openSession } from '#shop/sign-in/sessions/commands.ts'
import { changedMail, linkMail, type Sender } from '#shop/sign-in/sessions/mails.ts'

/** The shop as the sender of mails to a customer; undefined if it was closed meanwhile. */
async function senderOf(tx: Tx, companyId: number, shopId: number, language: string): Promise<Sender | undefined> {
  const ids = { companyId: String(companyId), themeSettingId: String(shopId) }
  const shop = await findShop(tx, { company_id: companyId }, ids)
  return shop && { ...(await readShopSender(tx, shop, language)), language }
}

/**
 * Sets the password of a signed-in customer, who has typed the old one. All sessions end, and the browser gets a new one.
 * Undefined if the session ended or the password changed meanwhile.
 */
export async function changeOwnPassword(
  tx: Tx,
  session: CustomerSession,
  { checkedHash, passwordHash }: { checkedHash: string; passwordHash: string },
  entrance: Entrance,
  now: Date,
): Promise<string | undefined> {
  const known = await lockSessionAccount(tx, session)
  if (known?.account.password_hash !== checkedHash) return undefined
  await changePassword(tx, known, passwordHash, now)
  const { account } = known
  const sender = await senderOf(tx, entrance.companyId, entrance.shopId, account.language)
  if (sender !== undefined) await queueMail(tx, changedMail(sender, 'password', account.email), now)
  return openSession(tx, entrance, known, now)
}

/**
 * Mails a link to the new address of a signed-in customer: it is set when the link is followed. An address that somebody
 * has already gets no mail, and nobody is told.
 */
export async function askForNewEmail(
  tx: Tx,
  session: CustomerSession,
  { newEmail, address }: { newEmail: string; address: string },
  now: Date,
): Promise<void> {
  const { companyId, customerId, themeSettingId } = session
  const known = await lockSessionAccount(tx, session)
  if (known === undefined || (await findAccountByEmail(tx, newEmail)) !== undefined) return
  const link = await createLink(tx, { kind: 'proof', newEmail, companyId, customerId }, address, now)
  const sender = await senderOf(tx, companyId, themeSettingId, known.account.language)
  if (sender !== undefined) await queueMail(tx, linkMail(sender, 'new_email', newEmail, link), now)
}

export type Followed = { kind: 'void' } | { kind: 'taken' } | { kind: 'done'; sessionToken: string }

/** Makes the change of a link that was mailed, and signs the customer in, who reads the address. */
export async function followAccountLink(
  tx: Tx,
  entrance: Entrance,
  { token, passwordHash, address }: { token: string; passwordHash: string | undefined; address: string },
  now: Date,
): Promise<Followed> {
  const found = await findLink(tx, token, now)
  if (found === undefined || found.companyId !== entrance.companyId) return { kind: 'void' }
  const language = (await lockAccount(tx, found.customerId))?.account.language ?? 'en'
  const sender = await senderOf(tx, entrance.companyId, entrance.shopId, language)
  if (sender === undefined) return { kind: 'void' }
  const outcome = await followLink(tx, token, passwordHash, address, now, {
    changed: ({ what, email }) => changedMail(sender, what, email),
  })
  if (outcome.kind === 'void') return { kind: 'void' }
  if (outcome.kind === 'address taken') return { kind: 'taken' }
  const known = await lockAccount(tx, found.customerId)
  return known === undefined
    ? { kind: 'void' }
    : { kind: 'done', sessionToken: await openSession(tx, entrance, known, now) }
}

/** Ends one of the customer's sessions, by its key. */
export function endSession(tx: Tx, { companyId, customerId }: CustomerSession, key: string): Promise<void> {
  return endCustomerSession(tx, { companyId, customerId, key })
}

/** Signs out everywhere in the shops of the company. */
export function endSessions(tx: Tx, session: CustomerSession): Promise<void> {
  return endSessionsAtCompany(tx, session)
}

export function removeOwnDevice(
  tx: Tx,
  { companyId, customerId }: CustomerSession,
  ref: string,
  origin: Origin,
  now: Date,
): Promise<void> {
  return removeDevice(tx, { companyId, origin }, { companyId, customerId }, ref, now)
}

/** Mails a customer the link that deletes the account, so that nobody does it at a computer that was left open. */
export async function askForDeletion(tx: Tx, session: CustomerSession, address: string, now: Date): Promise<void> {
  const { companyId, customerId, themeSettingId } = session
  const known = await lockSessionAccount(tx, session)
  if (known === undefined) return
  const { email, language } = known.account
  const link = await createLink(tx, { kind: 'deletion', newEmail: null, companyId, customerId }, address, now)
  const sender = await senderOf(tx, companyId, themeSettingId, language)
  if (sender !== undefined) await queueMail(tx, linkMail(sender, 'deletion', email, link), now)
}

/**
 * Erases what the company knows of the customer whom a link was mailed to. Orders keep what the invoice must keep. Returns the
 * id of the customer; undefined if the link was used or has expired.
 */
export async function deleteAccount(tx: Tx, companyId: number, token: string, now: Date): Promise<number | undefined> {
  const found = await findDeletionLink(tx, token, now)
  if (found?.companyId !== companyId) return undefined
  const { customerId } = found
  // The link may be used while this waits for the lock.
  const known = await lockAccount(tx, customerId)
  if (known === undefined || (await findDeletionLink(tx, token, now)) === undefined) return undefined
  await deleteCustomer(tx, { companyId }, String(customerId), forgetSubscriber, now)
  return customerId
}
