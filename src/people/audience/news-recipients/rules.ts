import { validationFailed } from '#platform/errors/problem.ts'
import { parseTime } from '#platform/wire/times.ts'
import { consentInFuture } from '../errors.ts'
import { withTime } from '../rules.ts'
import type { NewsRecipientChange } from './schema.ts'
import type { NewsRecipientState } from './state.ts'

type Given = Omit<NewsRecipientState, keyof Times | 'last_unsubscribed_at' | 'created_at' | 'updated_at'>

/** A recipient who has signed up; `consent` is the time at which the person agreed, if the caller knows. */
export function newNewsRecipient(given: Given, consent: Date | undefined, now: Date): NewsRecipientState {
  return {
    ...given,
    confirmed_at: consent ?? null,
    unsubscribed_at: null,
    last_unsubscribed_at: null,
    created_at: now,
    updated_at: now,
  }
}

/** The time of a consent, which cannot be in the future. */
export function readConsent(text: string | undefined, now: Date): Date | undefined {
  const time = text === undefined ? undefined : parseTime(text)
  if (time !== undefined && time > now) throw validationFailed('confirmed_at', consentInFuture())
  return time
}

type Times = Pick<NewsRecipientState, 'confirmed_at' | 'unsubscribed_at'>

export function newsRecipientState({ confirmed_at, unsubscribed_at }: Times): 'pending' | 'confirmed' | 'unsubscribed' {
  if (unsubscribed_at !== null) return 'unsubscribed'
  return confirmed_at === null ? 'pending' : 'confirmed'
}

/**
 * The recipient who has agreed, as an app says. A consent from before the recipient left does not count, even if the
 * recipient has signed up again since: otherwise an app that sends back what it has read would subscribe people again.
 */
export function confirmed(before: NewsRecipientState, consent: Date, now: Date): NewsRecipientState {
  const { last_unsubscribed_at } = before
  if (last_unsubscribed_at !== null && consent <= last_unsubscribed_at) return before
  return withTime(before, { ...before, confirmed_at: consent, unsubscribed_at: null }, now)
}

/** The pending recipient who has followed the link in the mail. The mail was written after any earlier unsubscription. */
export function confirmedByLink(before: NewsRecipientState, now: Date): NewsRecipientState {
  return { ...before, confirmed_at: now, updated_at: now }
}

/** The recipient who has left. The time of the consent stays, as evidence for earlier mails. */
export function unsubscribed(before: NewsRecipientState, now: Date): NewsRecipientState {
  if (before.unsubscribed_at !== null) return before
  return { ...before, unsubscribed_at: now, last_unsubscribed_at: now, updated_at: now }
}

/** The recipient who signs up once more: one who has left has to agree again. */
export function signedUpAgain(before: NewsRecipientState, now: Date): NewsRecipientState {
  if (before.unsubscribed_at === null) return before
  return { ...before, confirmed_at: null, unsubscribed_at: null, updated_at: now }
}

/** The recipient after a change by an app: the same object if nothing changes. */
export function changeNewsRecipient(
  before: NewsRecipientState,
  input: NewsRecipientChange,
  now: Date,
): NewsRecipientState {
  const consent = readConsent(input.confirmed_at, now)
  if (input.state === 'unsubscribed' && before.unsubscribed_at === null) return unsubscribed(before, now)
  return consent === undefined ? before : confirmed(before, consent, now)
}

/**
 * Of two entries of one address for one shop, a refusal counts more than a consent, and an old consent more than none. A
 * consent from before one of them left does not count for somebody who has signed up again.
 */
export function mergeNewsRecipients(kept: NewsRecipientState, other: NewsRecipientState): NewsRecipientState {
  const confirmed_at = kept.confirmed_at ?? other.confirmed_at
  const unsubscribed_at = kept.unsubscribed_at ?? other.unsubscribed_at
  const last_unsubscribed_at = latest(kept.last_unsubscribed_at, other.last_unsubscribed_at)
  const isOutdated =
    unsubscribed_at === null &&
    confirmed_at !== null &&
    last_unsubscribed_at !== null &&
    confirmed_at < last_unsubscribed_at
  return { ...kept, confirmed_at: isOutdated ? null : confirmed_at, unsubscribed_at, last_unsubscribed_at }
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
