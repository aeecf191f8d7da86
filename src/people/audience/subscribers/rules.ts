import { changedBound, laterEnd, withTime } from '../rules.ts'
import type { SubscriberChange, SubscriberInput } from './schema.ts'
import type { SubscriberState } from './state.ts'

type Identity = Pick<SubscriberState, 'company_id' | 'id' | 'email' | 'customer_token'>

export function newSubscriber(identity: Identity, input: SubscriberInput, now: Date): SubscriberState {
  const { group_id, ends_at } = input
  return { ...identity, group_id, ends_at: changedBound(null, ends_at), created_at: now, updated_at: now }
}

/** The subscriber after a change: the same object if nothing changes. */
export function changeSubscriber(before: SubscriberState, input: SubscriberChange, now: Date): SubscriberState {
  const group_id = input.group_id ?? before.group_id
  return withTime(before, { ...before, group_id, ends_at: changedBound(before.ends_at, input.ends_at) }, now)
}

/** It is computed, because it changes with time. */
export function subscriberState({ ends_at }: Pick<SubscriberState, 'ends_at'>, now: Date): 'active' | 'ended' {
  return ends_at === null || ends_at > now ? 'active' : 'ended'
}

/** Two subscriptions of one person to one group last as long as the longer one. */
export function mergeSubscribers(kept: SubscriberState, other: SubscriberState): SubscriberState {
  return { ...kept, ends_at: laterEnd(kept.ends_at, other.ends_at) }
}
