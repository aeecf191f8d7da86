import type { PromptRequest } from '#apps/oauth/prompt/rules.ts'
import type { App } from '#apps/oauth/state.ts'
import { fromShop } from '#identity/companies/letterhead.mails.ts'
import { addRefreshToken, createGrant, type Grant } from '#identity/grants/commands.ts'
import { createSignInLink, endLink } from '#people/customers/links/commands.ts'
import { findSignInLink } from '#people/customers/links/queries.ts'
import { forgiveCheck, type Limits } from '#people/customers/passwords/commands.ts'
import { findAccountByEmail, lockAccount } from '#people/customers/queries.ts'
import type { AccountState } from '#people/customers/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { SEND_SIGN_IN_LINK, type SignInRequest } from './jobs.ts'
import { signInMail } from './mails.ts'
import { findShop, readPlayerPrompt, readShopSender, type Shop } from './queries.ts'
import { PLAYER_SCOPES, signInAddress } from './rules.ts'

export type Decision = { app: App; prompt: PromptRequest; shop: Shop }

export type Allowed =
  | { kind: 'allowed'; code: string }
  /** The account was disabled, erased, or got another password meanwhile. */
  | { kind: 'refused' }
  | { kind: 'unknown to the company' }

/** Lets an app act for a customer at one company. The account is locked, so that disabling it ends the grant. */
export async function grantPlayer(
  tx: Tx,
  { app, companyId, customerId }: { app: Pick<App, 'id'>; companyId: number; customerId: number },
  now: Date,
): Promise<Grant> {
  return createGrant(tx, { companyId, appId: app.id, userId: null, customerId, scopes: PLAYER_SCOPES }, now)
}

/** Lets the app in for a customer whose password was right, and returns the code for the redirect. */
export async function allowWithPassword(
  tx: Tx,
  { app, prompt, shop }: Decision,
  checked: AccountState,
  limits: Limits,
  now: Date,
): Promise<Allowed> {
  const known = await lockAccount(tx, checked.id)
  if (known?.account.password_hash !== checked.password_hash || known.account.state !== 'enabled')
    return { kind: 'refused' }
  await forgiveCheck(tx, limits)
  if (!known.relations.some(({ company_id }) => company_id === shop.company.id))
    return { kind: 'unknown to the company' }
  return allow(tx, { app, prompt, shop }, checked.id, now)
}

async function allow(tx: Tx, { app, prompt, shop }: Decision, customerId: number, now: Date): Promise<Allowed> {
  const grant = await grantPlayer(tx, { app, companyId: shop.company.id, customerId }, now)
  const binding = { codeChallenge: prompt.codeChallenge, redirectUri: prompt.redirectUri }
  return { kind: 'allowed', code: await addRefreshToken(tx, grant, now, binding) }
}

/** Lets the app in for the customer to whom a link was mailed. The link works once. */
export async function allowWithLink(tx: Tx, decision: Decision, token: string, now: Date): Promise<Allowed> {
  const found = await findSignInLink(tx, token, now)
  const known = found === undefined ? undefined : await lockAccount(tx, found.customerId)
  // The link may have been used, and the account disabled, while this waited for the lock.
  const link = known === undefined ? undefined : await findSignInLink(tx, token, now)
  if (link === undefined || link.companyId !== decision.shop.company.id) return { kind: 'refused' }
  await endLink(tx, token, now)
  return allow(tx, decision, link.customerId, now)
}

/** Uses a link up without letting the app in. */
export async function denyWithLink(tx: Tx, token: string, now: Date): Promise<void> {
  await endLink(tx, token, now)
}

/** A job looks up the account, so that the answer takes the same time for an unknown address. */
export function askForLink(tx: Tx, request: SignInRequest, now: Date): Promise<void> {
  return enqueue(tx, { kind: SEND_SIGN_IN_LINK, companyId: null, data: request }, now)
}

/** Mails a link to the customer with the address, if the company knows one. */
export async function sendSignInLink(tx: Tx, request: SignInRequest, now: Date): Promise<void> {
  const { email, query, baseUrl, companyId, shopId } = request
  const found = await findAccountByEmail(tx, email)
  const known = found && (await lockAccount(tx, found.id))
  if (known === undefined || known.account.state !== 'enabled') return
  if (!known.relations.some(({ company_id }) => company_id === companyId)) return
  const ids = { companyId: String(companyId), themeSettingId: String(shopId) }
  const shop = await findShop(tx, { company_id: companyId }, ids)
  if (shop === undefined) return
  const { account } = known
  const { app } = await readPlayerPrompt(tx, query, new Set(PLAYER_SCOPES))
  const token = await createSignInLink(tx, { companyId, customerId: account.id, query }, now)
  const sender = await readShopSender(tx, shop, account.language, baseUrl)
  const { country, ...letter } = signInMail({
    appName: app.name,
    shopName: sender.shopName,
    company: sender.company,
    language: account.language,
    link: signInAddress(baseUrl, token),
  })
  const mail = fromShop({ ...sender, country }, { to: account.email, ...letter })
  // The mail belongs to no company: a company that could read it could act for the customer.
  await queueMail(tx, { ...mail, companyId: null, carriesSecret: true }, now)
}
