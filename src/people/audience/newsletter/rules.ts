import type { NewsRecipientState } from '../news-recipients/state.ts'

const DAY_MS = 86_400_000
const LINK_DAYS = 7

/** An address gets so many mails with a link to confirm from one company within a day, however often it is signed up. */
export const CONFIRMATIONS_A_DAY_MAX = 3

export function linkExpiry(now: Date): Date {
  return new Date(now.getTime() + LINK_DAYS * DAY_MS)
}

export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/** The form of the tokens in links: 256 random bits. */
export function isLinkToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token)
}

export function confirmationPath(token: string): string {
  return `/newsletter/confirm/${token}`
}

/** The address with which a recipient leaves, for the text of every newsletter and for its `List-Unsubscribe`. */
export function unsubscribePath({ unsubscribe_token }: Pick<NewsRecipientState, 'unsubscribe_token'>): string {
  return `/newsletter/unsubscribe/${unsubscribe_token}`
}
