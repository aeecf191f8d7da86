import { recordChange } from '#history/audit/commands.ts'
import { assertMayMail } from '#identity/attempts/guard.ts'
import { findSigningSecret } from '#identity/companies/queries.ts'
import { sealLoginToken } from '#people/customers/login-tokens/cipher.secrets.ts'
import { LIFETIME_MS } from '#people/customers/login-tokens/rules.ts'
import { getAccount } from '#people/customers/queries.ts'
import type { AccountState } from '#people/customers/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson, wireTime } from '#platform/wire/times.ts'
import { askForMail } from '#shop/sign-in/sessions/commands.ts'
import { supportedCustomerDisabled, supportUnavailable } from '../errors.ts'
import { findHome } from './queries.ts'
import type { LoginLink } from './schema.ts'

async function getEnabled(tx: Tx, { companyId }: Author, ref: string): Promise<AccountState> {
  const account = await getAccount(tx, companyId, ref)
  if (account.state !== 'enabled') throw validationFailed('customer', supportedCustomerDisabled())
  return account
}

/**
 * Makes a link with which somebody of the company helps a customer to sign in. It is a login token as the site of the
 * company makes them: it opens what this company has sold and nothing else, and proves nothing of the address.
 */
export async function makeLoginLink(
  tx: Tx,
  author: Author,
  ref: string,
  baseUrl: string,
  now: Date,
): Promise<LoginLink> {
  const { token } = await getEnabled(tx, author, ref)
  const secret = await findSigningSecret(tx, author.companyId)
  const shop = await findHome(tx, author.companyId)
  if (secret === undefined || shop === undefined) throw supportUnavailable()
  const content = { customer_token: token, created_at: `${wireTime(now)}Z` }
  const sealed = sealLoginToken(asciiJson(content), secret)
  await recordChange(tx, author, 'sign-in link made', `customer ${token}`, now)
  return {
    url: `${baseUrl}/api/customers/login/${shop.id}/${sealed}`,
    expires_at: wireTime(new Date(now.getTime() + LIFETIME_MS)),
  }
}

/** Mails a customer the link that they would get if they asked for it in the shop. Nobody of the company sees it. */
export async function mailSignInLink(tx: Tx, author: Author, ref: string, baseUrl: string, now: Date): Promise<void> {
  const { companyId } = author
  const { token, email, language } = await getEnabled(tx, author, ref)
  const shop = await findHome(tx, companyId)
  if (shop === undefined) throw supportUnavailable()
  await assertMayMail(tx, companyId, email, now)
  const request = { purpose: 'sign in', email, companyId, shopId: shop.id, address: shop.address(baseUrl) } as const
  await askForMail(tx, { ...request, returnTo: '', firstName: '', lastName: '', language }, now)
  await recordChange(tx, author, 'sign-in link made', `customer ${token}, by mail`, now)
}

/** Puts on record that somebody of the company has exported the data of a customer. */
export function recordExport(tx: Tx, author: Author, token: string, now: Date): Promise<void> {
  return recordChange(tx, author, 'customer data exported', `customer ${token}`, now)
}
