import { type Mistakes, passwordMistakes } from '#identity/sign-in/rules.ts'
import type { Translator } from '#platform/text/messages.ts'

/** The changes that a company may request with one link. */
export type Request = { kind: 'password'; newEmail: null } | { kind: 'email' | 'both'; newEmail: string }

/** The purpose of a link. `proof` confirms that the customer reads the new address. */
export type Purpose = Request | { kind: 'proof'; newEmail: string }

/** A working link, with the company and the customer that its page shows. */
export type OpenLink = Purpose & {
  companyId: number
  companyName: string
  customerId: number
  language: string
  email: string
}

const DAY_MS = 86_400_000

/** The daily limit, over all companies, keeps a customer from being flooded with mails. */
export const REQUESTS_A_DAY_MAX = 3

export function linkExpiry(now: Date): Date {
  return new Date(now.getTime() + DAY_MS)
}

/** A person waits for a link to sign in with, so it need not work for long. */
export const SIGN_IN_LINK_MINUTES = 30

export function signInLinkExpiry(now: Date): Date {
  return new Date(now.getTime() + SIGN_IN_LINK_MINUTES * 60_000)
}

/** Somebody who wants to delete an account waits for the link, too, and has to be sure. */
export const DELETION_LINK_MINUTES = 60

/** How long a link works. */
export function expiryOf(kind: Purpose['kind'] | 'deletion', now: Date): Date {
  return kind === 'deletion' ? new Date(now.getTime() + DELETION_LINK_MINUTES * 60_000) : linkExpiry(now)
}

export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/** The page that a link leads to. */
export function linkAddress(baseUrl: string, token: string): string {
  return `${baseUrl}/customer/${token}`
}

/** The kind of request: a new address, a new password, or both. */
export function requestOf(newEmail: string | undefined, isPasswordAsked: boolean): Request {
  if (newEmail === undefined) return { kind: 'password', newEmail: null }
  return { kind: isPasswordAsked ? 'both' : 'email', newEmail }
}

export function asksForPassword({ kind }: Pick<Purpose, 'kind'>): boolean {
  return kind === 'password' || kind === 'both'
}

/** The errors of the form on the page of a link. */
export function mistakesOf(
  t: Translator,
  link: Pick<Purpose, 'kind'>,
  form: { password: string; password_confirmation: string },
): Mistakes {
  return asksForPassword(link) ? passwordMistakes(t, form) : {}
}
