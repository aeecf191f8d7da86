import { readPrompt } from '#apps/oauth/prompt/queries.ts'
import { asksCustomer, type PromptRequest, promptError } from '#apps/oauth/prompt/rules.ts'
import { findOwnerName } from '#apps/oauth/queries.ts'
import { formActionOf, withParameters } from '#apps/oauth/rules.ts'
import type { App } from '#apps/oauth/state.ts'
import { findShopFace, findShopId, findShopOwner, readShopLocales } from '#catalog/theme-settings/queries.ts'
import { senderOf } from '#catalog/theme-settings/sender.present.ts'
import type { Shop as Sender } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent, isCompanyEnabled } from '#identity/companies/queries.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import { findSignInLink, type SignInLink } from '#people/customers/links/queries.ts'
import { findAccountByEmail, isKnownElsewhere } from '#people/customers/queries.ts'
import type { AccountState } from '#people/customers/state.ts'
import type { Db } from '#platform/db/database.ts'
import { verifyPassword } from '#platform/identity/crypto.ts'
import { mayAskCustomers, readId } from './rules.ts'

/** The shop whose customers an app asks, as they know it. */
export type Shop = { company: Correspondent; shopId: number }

/** A shop by its id, by its company, or the first one of the company that owns the app. */
export async function findShop(
  db: Db,
  app: Pick<App, 'company_id'>,
  sent: { companyId: string | undefined; themeSettingId: string | undefined },
): Promise<Shop | undefined> {
  const [companyId, themeSettingId] = [readId(sent.companyId), readId(sent.themeSettingId)]
  if (companyId === undefined || themeSettingId === undefined) return undefined
  const owner = themeSettingId === 0 ? companyId || app.company_id : await findShopOwner(db, themeSettingId)
  if (owner === undefined || (companyId !== 0 && companyId !== owner)) return undefined
  if (!(await isCompanyEnabled(db, owner))) return undefined
  const [shopId, company] = await Promise.all([findShopId(db, owner, themeSettingId), getCorrespondent(db, owner)])
  return shopId === undefined ? undefined : { company, shopId }
}

export async function readShopName(db: Db, { company, shopId }: Shop, language: string): Promise<string> {
  const locales = await readShopLocales(db, company.id, shopId)
  return chooseLocale(locales, language)?.shop_name.trim() || company.company_name
}

/** The shop as the sender of mails in a language. Without an address its picture is not shown. */
export async function readShopSender(
  db: Db,
  { company, shopId }: Shop,
  language: string,
  baseUrl?: string,
): Promise<Omit<Sender, 'country'>> {
  return senderOf(company, await findShopFace(db, company.id, shopId), language, baseUrl)
}

/** The address that the customer returns to. */
export function addressBack({ prompt }: PlayerPrompt, parameters: Record<string, string>): string {
  return withParameters(prompt.redirectUri, { ...parameters, state: prompt.state })
}

/** The request of an app to a customer, or the error that the app gets. */
export type PlayerPrompt = {
  app: App
  prompt: PromptRequest
  formAction: string
  asked: { kind: 'shop'; shop: Shop; ownerName: string } | { kind: 'error'; error: Record<string, string> }
}

/** Reads the request of an app. One that may not come from the app is a problem page, as at the prompt for users. */
export async function readPlayerPrompt(db: Db, query: string, served: ReadonlySet<string>): Promise<PlayerPrompt> {
  const { app, prompt } = await readPrompt(db, query, served)
  const request = { app, prompt, formAction: formActionOf(prompt.redirectUri) }
  const refuse = (error: Record<string, string>): PlayerPrompt => ({ ...request, asked: { kind: 'error', error } })
  const error = promptError(prompt)
  if (error !== undefined) return refuse(error)
  if (!asksCustomer(prompt) || !mayAskCustomers(app))
    return refuse({ error: 'invalid_scope', error_description: 'the app is not registered for the scope player' })
  const shop = await findShop(db, app, prompt)
  if (shop === undefined)
    return refuse({ error: 'invalid_request', error_description: 'there is no such company_id or theme_setting_id' })
  const ownerName = await findOwnerName(db, app)
  return { ...request, asked: { kind: 'shop', shop, ownerName } }
}

/** The account with this password, if it may sign in. An unknown address takes the same time. */
export async function findByPassword(
  db: Db,
  companyId: number,
  email: string,
  password: string,
): Promise<AccountState | undefined> {
  const account = await findAccountByEmail(db, email)
  const isRight = await verifyPassword(password, account?.password_hash)
  if (!isRight || account?.state !== 'enabled') return undefined
  // Until the address is proved, the password may be that of a company, which must not see what others have sold.
  return account.verified_email || !(await isKnownElsewhere(db, account.id, companyId)) ? account : undefined
}

export type Followed = {
  link: SignInLink
  asking: PlayerPrompt
  asked: Extract<PlayerPrompt['asked'], { kind: 'shop' }>
}

/** The request that a mailed link returns to; undefined if the link, the app or the shop is gone. */
export async function findFollowed(
  db: Db,
  token: string,
  served: ReadonlySet<string>,
  now: Date,
): Promise<Followed | undefined> {
  const link = await findSignInLink(db, token, now)
  if (link === undefined) return undefined
  const asking = await readPlayerPrompt(db, link.query, served)
  const { asked } = asking
  return asked.kind === 'shop' && asked.shop.company.id === link.companyId ? { link, asking, asked } : undefined
}
