import { topicUnknown } from '#history/events/errors.ts'
import { findTopic, TOPICS } from '#history/events/topics.facts.ts'
import { fieldNotAllowed, fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { addressInvalid, spellingsDiffer } from './errors.ts'
import type { WebhookInput } from './schema.ts'
import type { WebhookOwner } from './state.ts'

/** An app sees its own webhooks; a signed-in user, who has no app, those of every app of the company. */
export function ownerOf({ companyId, appId }: Pick<Caller, 'companyId' | 'appId'>): WebhookOwner {
  return { companyId, appId: appId ?? undefined }
}

/**
 * A webhook as a caller may see it. Whoever knows its address can often send to it, so users who may not change webhooks see
 * where it leads, and not the rest.
 */
export function seenBy<Seen extends { address: string }>(caller: Caller, webhook: Seen): Seen {
  if (caller.kind !== 'user' || caller.permissions.has('create_users')) return webhook
  return { ...webhook, address: `${new URL(webhook.address).origin}/***` }
}

/** Seconds to wait after each failed attempt, in order. After the last one the webhook is given up, 48 hours on. */
export const RETRY_SECONDS = [60, 180, 300, 600, 900, 1800, 3600, 7200, 21600, 50400, 86400] as const

/** For so long after a failure nothing is sent to the app for this company. */
export const BLOCK_SECONDS = 60

const GONE = 410

export type Verdict = { kind: 'retry'; at: Date } | { kind: 'give-up' }

/** When to try again after so many failures in a row. */
export function afterFailure(failures: number, now: Date): Verdict {
  const seconds = RETRY_SECONDS[failures - 1]
  if (seconds === undefined) return { kind: 'give-up' }
  return { kind: 'retry', at: secondsAfter(now, seconds) }
}

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

export function isAcknowledged(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** The receiver asks for no more events. */
export function isGone(status: number | null): boolean {
  return status === GONE
}

/** What a webhook is after a round of attempts of which some failed. */
export type Schedule =
  | { kind: 'retry'; failures: number; at: Date }
  | { kind: 'deactivate'; failures: number; reason: 'failing' | 'gone' }

/**
 * A success among the attempts begins the schedule again. Attempts that failed side by side count as one failure,
 * because they say the same about the receiver.
 */
export function afterRound(
  failuresBefore: number,
  { delivered, statuses }: { delivered: number; statuses: readonly (number | null)[] },
  now: Date,
): Schedule {
  const failures = (delivered > 0 ? 0 : failuresBefore) + 1
  if (statuses.some(isGone)) return { kind: 'deactivate', failures, reason: 'gone' }
  const verdict = afterFailure(failures, now)
  return verdict.kind === 'retry'
    ? { kind: 'retry', failures, at: verdict.at }
    : { kind: 'deactivate', failures, reason: 'failing' }
}

/** The parts of a webhook that a caller chooses. */
export type WebhookChoice = { topic: string; address: string; is_active: boolean }

/** What the input asks for, in the spelling of the interface. */
export function readInput(input: WebhookInput): Partial<WebhookChoice> {
  const report = new FieldReport()
  reportContradictions(input, report)
  const topic = input.topic ?? input.scope
  const address = input.address ?? input.destination
  const isActive = input.is_active ?? input.is_valid
  reportUnstorable(input, report)
  const found = topic === undefined ? undefined : findTopic(topic)
  if (topic !== undefined && found === undefined)
    report.add(input.topic === undefined ? 'scope' : 'topic', topicUnknown(TOPICS))
  if (address !== undefined && !isWebAddress(address.trim()))
    report.add(input.address === undefined ? 'destination' : 'address', addressInvalid())
  if (input.format !== undefined && input.format !== '' && input.format.toLowerCase() !== 'json')
    report.add('format', fieldNotAllowed(['json']))
  report.throwIfAny()
  return {
    ...(found === undefined ? {} : { topic: found }),
    ...(address === undefined ? {} : { address: address.trim() }),
    ...(isActive === undefined ? {} : { is_active: isActive }),
  }
}

const SPELLINGS = [
  ['topic', 'scope'],
  ['address', 'destination'],
  ['is_active', 'is_valid'],
] as const

/** Both spellings of an attribute may be there, if they say the same. */
function reportContradictions(input: WebhookInput, report: FieldReport): void {
  for (const [name, other] of SPELLINGS)
    if (input[name] !== undefined && input[other] !== undefined && input[name] !== input[other])
      report.add(other, spellingsDiffer(name))
}

/** A new webhook needs a topic and an address. */
export function readNewInput(input: WebhookInput): WebhookChoice {
  const { topic, address, is_active = true } = readInput(input)
  if (topic !== undefined && address !== undefined) return { topic, address, is_active }
  const report = new FieldReport()
  if (topic === undefined) report.add('topic', fieldRequired())
  if (address === undefined) report.add('address', fieldRequired())
  report.throwIfAny()
  throw new Error('a field report with faults throws')
}

/** Blanks and control characters would be dropped from an address, and port 0 is none. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.port !== '0' && !/[\s\p{Cc}]/u.test(text)
}

/** The address without the password that it may carry, for mails and logs. */
export function withoutPassword(address: string): string {
  const url = new URL(address)
  if (url.password === '') return address
  url.password = '***'
  return url.href
}
