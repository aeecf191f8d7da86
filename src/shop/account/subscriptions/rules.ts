import { Problem } from '#platform/errors/problem.ts'

/** The refusals that a page says in words of its own, by their reasons. */
const SAID: ReadonlyMap<string, string> = new Map([
  ['subscription_not_changeable', 'subscription.refused.subscription_not_changeable'],
  ['plan_not_pausable', 'subscription.refused.plan_not_pausable'],
  ['plan_price_changed', 'subscription.refused.plan_price_changed'],
  ['too_many_payments', 'subscription.refused.too_many_payments'],
  ['payment_gateway_unavailable', 'subscription.refused.payment_gateway_unavailable'],
])

export const PRICE_CHANGED = 'subscription.refused.plan_price_changed'

/** What just happened, as addresses name it. */
const NOTICES = new Set(['cancelled', 'ended', 'stayed', 'resumed', 'paused', 'plan', 'plan_later', 'means', 'paid'])

export function noticeOf(done: string): string | undefined {
  return NOTICES.has(done) ? `subscription.done.${done}` : undefined
}

/** The key of the text that says a refusal; undefined: it is no refusal, but a failure of the program. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Problem) || (error.status >= 500 && error.reason !== 'payment_gateway_unavailable'))
    return undefined
  return SAID.get(error.reason) ?? 'subscription.refused.other'
}
