import { asciiJson, wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { explain } from './rights/explain.rules.ts'
import { endOf } from './rights/periods.rules.ts'
import { type Code, protectionOf, remainingOf, statusOf } from './rights/rules.ts'
import { refusalInWords, termsInWords } from './rights/sentences.rules.ts'
import type { Ask, Rights } from './rights/state.ts'
import { rightsOf } from './rules.ts'
import type { Decision, Entitlement, Explanation } from './schema.ts'
import type { EntitlementState } from './state.ts'

/** An entitlement without its id and number, in the language of the customer, as it is now. */
export function presentEntitlement(
  entitlement: EntitlementState,
  language: string,
  now: Date,
): Omit<Entitlement, 'id' | 'piece'> {
  const rights = rightsOf(entitlement)
  const { state, refusal } = statusOf(rights, now)
  return {
    product_id: entitlement.product_id,
    product_type: entitlement.product_type,
    title: entitlement.title,
    license_id: entitlement.license_id,
    license_title: entitlement.license_title,
    hd: entitlement.hd,
    audio_type: entitlement.audio_type,
    num_users: entitlement.num_users,
    terms: termsInWords(rights, language),
    acquired_at: wireTime(entitlement.acquired_at),
    starts_at: wireTimeOrNull(entitlement.released_at),
    first_used_at: wireTimeOrNull(entitlement.first_used_at),
    ends_at: wireTimeOrNull(endOf(rights)),
    remaining: remainingOf(rights, now),
    state,
    code: refusal,
    reason: refusal === null ? null : refusalInWords(refusal, rights, now, language),
    customer_token: entitlement.customer_token,
    ...(entitlement.group_id === null ? {} : { group_id: entitlement.group_id }),
    order_id: entitlement.order_id,
    line_item_id: entitlement.line_id,
    test: entitlement.test,
    revoked_at: wireTimeOrNull(entitlement.revoked_at),
    updated_at: wireTime(entitlement.updated_at),
  }
}

/** The stored document leaves out what tells the pieces of a line apart, so that they share it when they are granted. */
export function storedDocument(entitlement: EntitlementState, language: string, now: Date): string {
  return asciiJson(presentEntitlement(entitlement, language, now))
}

export function wholeDocument({ id, piece }: { id: number; piece: number }, document: string): string {
  return `{"id":${id},"piece":${piece},${document.slice(1)}`
}

/**
 * A decision as players read it. A check shows what remains before the action, a use what remains after it; both show the
 * end that holds once it is used.
 */
export function presentDecision(
  rights: Rights,
  { code, shown, language }: { code: Code; shown: Rights; language: string },
  now: Date,
): Decision {
  const isAllowed = code === 'allowed'
  return {
    allowed: isAllowed,
    code,
    reason: isAllowed ? null : refusalInWords(code, rights, now, language),
    remaining: remainingOf(shown, now),
    until: wireTimeOrNull(endOf(isAllowed ? { ...shown, first_used_at: shown.first_used_at ?? now } : shown)),
    protection: protectionOf(rights),
  }
}

/** Every rule with its input and its verdict, and the decision that follows from them. */
export function presentExplanation(rights: Rights, ask: Ask, code: Code, language: string, now: Date): Explanation {
  return {
    action: ask.action,
    decision: presentDecision(rights, { code, shown: rights, language }, now),
    rules: explain(rights, ask, now).map(({ rule, input, refusal }) => ({
      rule,
      verdict: refusal === null ? 'passed' : 'refused',
      code: refusal,
      reason: refusal === null ? null : refusalInWords(refusal, rights, now, language),
      input: Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name, value instanceof Date ? wireTime(value) : value]),
      ),
    })),
  }
}
