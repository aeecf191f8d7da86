import { type Mistakes, passwordMistakes } from '#sign-in/rules.ts'

/** What a company may ask a customer for, by one link. */
export type Request = { kind: 'password'; newEmail: null } | { kind: 'email' | 'both'; newEmail: string }

/** What a link is for. A proof shows that the customer reads the address that the account is to have. */
export type Purpose = Request | { kind: 'proof'; newEmail: string }

/** A link that works, and what its page shows: who asked whom. */
export type OpenLink = Purpose & { companyId: number; companyName: string; customerId: number; email: string }

const DAY_MS = 86_400_000

/** No company, nor all of them together, can flood a customer with mails. */
export const REQUESTS_A_DAY_MAX = 3

export function linkExpiry(now: Date): Date {
  return new Date(now.getTime() + DAY_MS)
}

export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/** The page that a link leads to. */
export function linkAddress(baseUrl: string, token: string): string {
  return `${baseUrl}/customer/${token}`
}

/** What is asked for: another address, a new password, or both. */
export function requestOf(newEmail: string | undefined, isPasswordAsked: boolean): Request {
  if (newEmail === undefined) return { kind: 'password', newEmail: null }
  return { kind: isPasswordAsked ? 'both' : 'email', newEmail }
}

export function asksForPassword({ kind }: Pick<Purpose, 'kind'>): boolean {
  return kind === 'password' || kind === 'both'
}

/** What is wrong with what was typed on the page of a link. */
export function mistakesOf(
  link: Pick<Purpose, 'kind'>,
  form: { password: string; password_confirmation: string },
): Mistakes {
  return asksForPassword(link) ? passwordMistakes(form) : {}
}
