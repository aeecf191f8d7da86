import { queueDataChange } from '#apps/webhooks/sync/commands.ts'
import { saveAccount } from '#people/customers/accounts.commands.ts'
import { introduceBuyer } from '#people/customers/commands.ts'
import { createLink, createSignInLink, endLink } from '#people/customers/links/commands.ts'
import { findSignInLink } from '#people/customers/links/queries.ts'
import { forgiveCheck, type Limits } from '#people/customers/passwords/commands.ts'
import { findAccountByEmail, isKnownElsewhere, type KnownAccount, lockAccount } from '#people/customers/queries.ts'
import { noteProved } from '#people/customers/relations.commands.ts'
import { asProved, OWN_PATHS } from '#people/customers/rules.ts'
import { endCustomerSession, endSessionOfCookie, startCustomerSession } from '#people/customers/sessions/commands.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import { createSignUp } from '#people/customers/sign-ups/commands.ts'
import type { AccountState } from '#people/customers/state.ts'
import { findShop, readShopSender, type Shop } from '#people/player-tokens/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { type AccountMailRequest, SEND_ACCOUNT_MAIL } from './jobs.ts'
import { type LinkKind, linkMail } from './mails.ts'
import { linkQuery, readLinkQuery } from './rules.ts'

/** The shop and the browser in which somebody signs in. */
export type Entrance = {
  companyId: number
  shopId: number
  userAgent: string
  /** The network address of the request. */
  address: string
  /** The session that the browser has already: the new one replaces it. */
  before: string | undefined
}

/** Signs the owner of a locked account in. The company of the shop knows the customer from now on. */
export async function openSession(tx: Tx, entrance: Entrance, known: KnownAccount, now: Date): Promise<string> {
  const { companyId, shopId: themeSettingId, userAgent, address, before } = entrance
  const { account, relations } = known
  if (!relations.some(({ company_id }) => company_id === companyId))
    await introduceBuyer(tx, { companyId }, account.email, {}, now, OWN_PATHS)
  if (before !== undefined) await endSessionOfCookie(tx, companyId, before)
  const session = { companyId, themeSettingId, customerId: account.id, userAgent, address }
  return startCustomerSession(tx, session, now)
}

/** Signs in somebody whose password was right; undefined if the account was disabled or changed meanwhile. */
export async function enterWithPassword(
  tx: Tx,
  entrance: Entrance,
  checked: AccountState,
  limits: Limits,
  now: Date,
): Promise<string | undefined> {
  const known = await lockAccount(tx, checked.id)
  if (known?.account.password_hash !== checked.password_hash || known.account.state !== 'enabled') return undefined
  await forgiveCheck(tx, limits)
  return openSession(tx, entrance, known, now)
}

/** Apps that keep a copy of the account send the password with orders, and have to know that it has ended. */
function tellOfPassword(tx: Tx, { account, relations }: KnownAccount, now: Date): Promise<void> {
  const { email, token: customerToken } = account
  const companyIds = relations.map(({ company_id }) => company_id)
  return queueDataChange(tx, { customerToken, companyIds, email, newEmail: email, passwordChanged: true }, now)
}

/** Signs in somebody who has followed a link to their address. The link works once. */
export async function enterWithLink(
  tx: Tx,
  entrance: Entrance,
  token: string,
  now: Date,
): Promise<{ sessionToken: string; returnTo: string } | undefined> {
  const found = await findSignInLink(tx, token, now)
  const known = found === undefined ? undefined : await lockAccount(tx, found.customerId)
  // The link may have been used, and the account disabled, while this waited for the lock.
  const link = known === undefined ? undefined : await findSignInLink(tx, token, now)
  const isOwn = link?.companyId === entrance.companyId
  const asked = link === undefined || !isOwn ? undefined : readLinkQuery(link.query, entrance.shopId)
  if (known === undefined || asked === undefined) return undefined
  await endLink(tx, token, now)
  const isElsewhere = await isKnownElsewhere(tx, known.account.id, entrance.companyId)
  await noteProved(tx, { company_id: entrance.companyId, customer_id: known.account.id })
  const account = await saveAccount(tx, known, asProved(known.account, isElsewhere), now)
  if (account.password_hash !== known.account.password_hash) await tellOfPassword(tx, known, now)
  const sessionToken = await openSession(tx, entrance, { ...known, account }, now)
  return { sessionToken, returnTo: asked.returnTo }
}

/** Signs out in one browser, at every host of the shop. */
export function endOwnSession(tx: Tx, { firstKey, ...session }: CustomerSession): Promise<void> {
  return endCustomerSession(tx, { ...session, key: firstKey })
}

/** A job looks up the account, so that the answer takes the same time for an unknown address. */
export function askForMail(tx: Tx, request: AccountMailRequest, now: Date): Promise<void> {
  return enqueue(tx, { kind: SEND_ACCOUNT_MAIL, companyId: null, data: request }, now)
}

/** Mails the link that somebody asked for. An unknown address gets none, unless it signs up. */
export async function sendAccountMail(tx: Tx, request: AccountMailRequest, now: Date): Promise<void> {
  const { email, companyId, shopId } = request
  const ids = { companyId: String(companyId), themeSettingId: String(shopId) }
  const shop = await findShop(tx, { company_id: companyId }, ids)
  if (shop === undefined) return
  const found = await findAccountByEmail(tx, email)
  const account = found && (await lockAccount(tx, found.id))?.account
  if (account === undefined) {
    if (request.purpose === 'sign up') await mailSignUp(tx, shop, request, now)
  } else if (account.state === 'enabled') await mailLink(tx, shop, request, account, now)
}

async function mailSignUp(tx: Tx, shop: Shop, request: AccountMailRequest, now: Date): Promise<void> {
  const { email, companyId, shopId: themeSettingId, firstName, lastName, language } = request
  const signUp = { companyId, themeSettingId, email, firstName, lastName, language }
  const link = `${request.address}/register/${await createSignUp(tx, signUp, now)}`
  await sendMail(tx, shop, { kind: 'sign_up', email, language, link }, now)
}

async function mailLink(
  tx: Tx,
  shop: Shop,
  { purpose, companyId, shopId, address, returnTo }: AccountMailRequest,
  { id: customerId, email, language }: AccountState,
  now: Date,
): Promise<void> {
  if (purpose === 'reset') {
    const link = await createLink(tx, { kind: 'password', newEmail: null, companyId, customerId }, address, now)
    return sendMail(tx, shop, { kind: 'reset', email, language, link }, now)
  }
  const query = linkQuery(shopId, returnTo)
  const token = await createSignInLink(tx, { companyId, customerId, query }, now)
  const kind = purpose === 'sign up' ? 'known' : 'sign_in'
  await sendMail(tx, shop, { kind, email, language, link: `${address}/login/${token}` }, now)
}

async function sendMail(
  tx: Tx,
  shop: Shop,
  { kind, email, language, link }: { kind: LinkKind; email: string; language: string; link: string },
  now: Date,
): Promise<void> {
  const sender = await readShopSender(tx, shop, language, new URL(link).origin)
  await queueMail(tx, linkMail({ ...sender, language }, kind, email, link), now)
}
