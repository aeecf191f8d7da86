import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { subscriberState } from './rules.ts'
import type { Subscriber } from './schema.ts'
import type { SubscriberState } from './state.ts'

/** A subscriber as the API shows it. It is presented when it is read, because its state changes with time. */
export function presentSubscriber(subscriber: SubscriberState, now: Date): Subscriber {
  return {
    id: subscriber.id,
    email: subscriber.email,
    customer_token: subscriber.customer_token,
    group_id: subscriber.group_id,
    ends_at: wireTimeOrNull(subscriber.ends_at),
    state: subscriberState(subscriber, now),
    created_at: wireTime(subscriber.created_at),
    updated_at: wireTime(subscriber.updated_at),
  }
}
