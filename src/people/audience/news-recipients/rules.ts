import { validationFailed } from '#platform/errors/problem.ts'
import { parseTime } from '#platform/wire/times.ts'
import { consentInFuture } from '../errors.ts'
import { withTime } from '../rules.ts'
import type { NewsRecipientChange } from './schema.ts'
import type { NewsRecipientState } from './state.ts'

type Given = Omit<NewsRecipientState, keyof Times | keyof Proof | 'last_unsubscribed_at' | 'created_at' | 'updated_at'>

/** When somebody agreed, and where: the source belongs to the time. */
export type Consent = { at: Date; source: string | null }

type Proof = Pick<NewsRecipientState, 'consent_source'>

/** A recipient who has signed up; `consent` says when and where the person agreed, if the caller knows. */
export function newNewsRecipient(given: Given, consent: Consent | undefined, now: Date): NewsRecipientState {
  return {
    ...given,
    confirmed_at: consent?.at ?? null,
    consent_source: consent?.source ?? null,
    unsubscribed_at: null,
    last_unsubscribed_at: null,
    created_at: now,
    updated_at: now,
  }
}

type ConsentInput = Pick<NewsRecipientChange, 'confirmed_at' | 'consent_source'>

/** A consent, which cannot be in the future. */
export function readConsent({ confirmed_at, consent_source }: ConsentInput, now: Date): Consent | undefined {
  const at = confirmed_at === undefined ? undefined : parseTime(confirmed_at)
  if (at === undefined) return undefined
  if (at > now) throw validationFailed('confirmed_at', consentInFuture())
  return { at, source: consent_source?.trim() || null }
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
export function confirmed(before: NewsRecipientState, { at, source }: Consent, now: Date): NewsRecipientState {
  if (isOutdated(before, at)) return before
  // Who sends the same time again, without a source, takes none away.
  const isSame = before.confirmed_at?.getTime() === at.getTime()
  const consent_source = source ?? (isSame ? before.consent_source : null)
  return withTime(before, { ...before, confirmed_at: at, consent_source, unsubscribed_at: null }, now)
}

/** Has the recipient left since? */
export function isOutdated({ last_unsubscribed_at }: NewsRecipientState, consent: Date): boolean {
  return last_unsubscribed_at !== null && consent <= last_unsubscribed_at
}

/** The pending recipient who has followed the link in the mail. The mail was written after any earlier unsubscription. */
export function confirmedByLink(before: NewsRecipientState, now: Date): NewsRecipientState {
  return { ...before, confirmed_at: now, consent_source: null, updated_at: now }
}

/** The recipient who has left. The time of the consent stays, as evidence for earlier mails. */
export function unsubscribed(before: NewsRecipientState, now: Date): NewsRecipientState {
  if (before.unsubscribed_at !== null) return before
  return { ...before, unsubscribed_at: now, last_unsubscribed_at: now, updated_at: now }
}

/** The recipient who signs up once more: one who has left has to agree again. */
export function signedUpAgain(before: NewsRecipientState, now: Date): NewsRecipientState {
  if (before.unsubscribed_at === null) return before
  return { ...before, confirmed_at: null, consent_source: null, unsubscribed_at: null, updated_at: now }
}

/** The recipient after a change by an app: the same object if nothing changes. */
export function changeNewsRecipient(
  before: NewsRecipientState,
  input: NewsRecipientChange,
  now: Date,
): NewsRecipientState {
  const consent = readConsent(input, now)
  if (input.state === 'unsubscribed' && before.unsubscribed_at === null) return unsubscribed(before, now)
  return consent === undefined ? before : confirmed(before, consent, now)
}

/**
 * Of two entries of one address for one shop, a refusal counts more than a consent, and an old consent more than none. A
 * consent from before one of them left does not count for somebody who has signed up again.
 */
export function mergeNewsRecipients(kept: NewsRecipientState, other: NewsRecipientState): NewsRecipientState {
  const { confirmed_at, consent_source } = kept.confirmed_at === null ? other : kept
  const unsubscribed_at = kept.unsubscribed_at ?? other.unsubscribed_at
  const last_unsubscribed_at = latest(kept.last_unsubscribed_at, other.last_unsubscribed_at)
  const isVoid =
    unsubscribed_at === null &&
    confirmed_at !== null &&
    last_unsubscribed_at !== null &&
    confirmed_at < last_unsubscribed_at
  const consent = isVoid ? { confirmed_at: null, consent_source: null } : { confirmed_at, consent_source }
  return { ...kept, ...consent, unsubscribed_at, last_unsubscribed_at }
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
