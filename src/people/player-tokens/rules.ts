import type { App } from '#apps/oauth/state.ts'
import { translatedLanguage } from '#platform/text/accepted-languages.ts'
import { EMAIL_MAX, EMAIL_PATTERN } from '#platform/wire/schema.ts'

/** The scope of a grant that a customer makes. */
export const PLAYER_SCOPES = ['player']

/** May the app ask customers? One that is registered without scopes may ask for all of them. */
export function mayAskCustomers({ scopes }: Pick<App, 'scopes'>): boolean {
  return scopes.length === 0 || PLAYER_SCOPES.every((scope) => scopes.includes(scope))
}

/** An id that was sent as text; 0 if it is empty, and undefined if it is no id. */
export function readId(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return 0
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** The language of a page for somebody who is not known yet: that of the browser, else that of the company. */
export function pageLanguage(acceptLanguage: string, companyLanguage: string): string {
  return translatedLanguage(acceptLanguage) ?? companyLanguage
}

/** The page behind a link that signs a customer in. */
export function signInAddress(baseUrl: string, token: string): string {
  return `${baseUrl}/oauth2/player/${token}`
}

const EMAIL = new RegExp(EMAIL_PATTERN, 'u')

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && EMAIL.test(text)
}
