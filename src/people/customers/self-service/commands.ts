import { type DataChange, queueDataChange } from '#apps/webhooks/sync/commands.ts'
import { addressLimit, takeAttempt } from '#identity/attempts/guard.ts'
import { findWait } from '#identity/attempts/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { saveAccount } from '../accounts.commands.ts'
import { tooManyChecks } from '../errors.ts'
import { createLink, endLink } from '../links/commands.ts'
import { changedMail, proofMail } from '../links/mails.ts'
import { findLink } from '../links/queries.ts'
import { asksForPassword, linkExpiry, type OpenLink } from '../links/rules.ts'
import { findAccountByEmail, type KnownAccount, lockAccount } from '../queries.ts'
import type { AccountState } from '../state.ts'

/** The mail about a change. A shop writes it in its own words. */
export type LinkMails = { changed: typeof changedMail }

const OWN_MAILS: LinkMails = { changed: changedMail }

export type Outcome = { kind: 'void' } | { kind: 'address taken' | 'done'; link: OpenLink }

/**
 * Makes the change that the customer agreed to: a password is set at once; a new address gets a link of its own, and is
 * set when that link is followed.
 */
export async function followLink(
  tx: Tx,
  token: string,
  passwordHash: string | undefined,
  baseUrl: string,
  now: Date,
  mails = OWN_MAILS,
): Promise<Outcome> {
  const held = await holdLink(tx, token, now)
  if (held === undefined) return { kind: 'void' }
  const { link, known } = held
  // The link stays, in case the address becomes free again.
  if (link.kind !== 'password' && (await findAccountByEmail(tx, link.newEmail)) !== undefined)
    return { kind: 'address taken', link }
  await endLink(tx, token, now)
  if (link.kind === 'proof') await moveAccount(tx, known, link, mails, now)
  if (asksForPassword(link)) await setPassword(tx, known, link, passwordHash, mails, now)
  if (link.kind === 'email' || link.kind === 'both') await sendProof(tx, link, link.newEmail, baseUrl, now)
  return { kind: 'done', link }
}

/** Locks the account first, as every change of it does; the link may have been used while this waited for the lock. */
async function holdLink(
  tx: Tx,
  token: string,
  now: Date,
): Promise<{ link: OpenLink; known: KnownAccount } | undefined> {
  const found = await findLink(tx, token, now)
  const known = found === undefined ? undefined : await lockAccount(tx, found.customerId)
  const link = known === undefined ? undefined : await findLink(tx, token, now)
  return known === undefined || link === undefined ? undefined : { link, known }
}

async function moveAccount(
  tx: Tx,
  known: KnownAccount,
  link: OpenLink & { kind: 'proof' },
  mails: LinkMails,
  now: Date,
): Promise<void> {
  await saveAccount(tx, known, { ...known.account, email: link.newEmail, verified_email: true }, now)
  await sendChangedMail(tx, known.account, 'email', link, mails, now)
  await tellApps(tx, known, { newEmail: link.newEmail, passwordChanged: false }, now)
}

/** The link was mailed to the address, so following it shows that the customer reads it. */
async function setPassword(
  tx: Tx,
  known: KnownAccount,
  link: OpenLink,
  passwordHash: string | undefined,
  mails: LinkMails,
  now: Date,
): Promise<void> {
  if (passwordHash === undefined) throw new Error('a link that asks for a password was followed without one')
  await saveAccount(tx, known, { ...known.account, password_hash: passwordHash, verified_email: true }, now)
  await sendChangedMail(tx, known.account, 'password', link, mails, now)
  await tellApps(tx, known, { newEmail: known.account.email, passwordChanged: true }, now)
}

/** Sets a password that a signed-in customer has chosen. The caller has locked the account and checked the old password. */
export async function changePassword(tx: Tx, known: KnownAccount, passwordHash: string, now: Date): Promise<void> {
  await saveAccount(tx, known, { ...known.account, password_hash: passwordHash }, now)
  await tellApps(tx, known, { newEmail: known.account.email, passwordChanged: true }, now)
}

/** Apps with a data change sync URL keep copies of the account, which the customer has just changed. */
function tellApps(
  tx: Tx,
  { account, relations }: KnownAccount,
  change: Pick<DataChange, 'newEmail' | 'passwordChanged'>,
  now: Date,
): Promise<void> {
  const companyIds = relations.map(({ company_id }) => company_id)
  return queueDataChange(tx, { ...change, customerToken: account.token, companyIds, email: account.email }, now)
}

async function sendProof(tx: Tx, asked: OpenLink, newEmail: string, baseUrl: string, now: Date): Promise<void> {
  const { companyId, companyName, customerId, language } = asked
  const link = await createLink(tx, { kind: 'proof', newEmail, companyId, customerId }, baseUrl, now)
  const mail = proofMail({ language, companyName, link, expires: linkExpiry(now) })
  await queueMail(tx, { companyId: null, to: newEmail, ...mail, carriesSecret: true }, now)
}

async function sendChangedMail(
  tx: Tx,
  { email }: AccountState,
  what: 'password' | 'email',
  { companyName, language }: OpenLink,
  mails: LinkMails,
  now: Date,
): Promise<void> {
  const mail = mails.changed({ what, language, companyName, email, changed: now })
  await queueMail(tx, { companyId: null, to: email, ...mail }, now)
}

const limits = (address: string) => [addressLimit(address, 'customer link')]

/** Refuses a network from which too many invalid links were tried. */
export async function assertMayTry(db: Db, address: string, now: Date): Promise<void> {
  const seconds = await findWait(db, limits(address), now)
  if (seconds > 0) throw tooManyChecks(seconds)
}

export async function countVoidLink(tx: Tx, address: string, now: Date): Promise<void> {
  await takeAttempt(tx, limits(address), now)
}
