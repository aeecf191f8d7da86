import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { WebhookState } from '../state.ts'
import type { Delivery } from './schema.ts'
import type { DeliveryState } from './state.ts'

/** A delivery as the API shows it, with its webhook, whose schedule holds for all that waits. */
export function presentDelivery(delivery: DeliveryState, webhook: WebhookState): Delivery {
  return {
    id: delivery.id,
    webhook_id: delivery.webhook_id,
    event_id: delivery.event_id,
    message_id: delivery.message_id,
    topic: delivery.topic,
    data: delivery.data,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: wireTimeOrNull(nextAttempt(delivery, webhook)),
    created_at: wireTime(delivery.created_at),
    done_at: wireTimeOrNull(delivery.done_at),
  }
}

function nextAttempt(delivery: DeliveryState, webhook: WebhookState): Date | null {
  if (delivery.state !== 'pending' || !webhook.is_active) return null
  const ofWebhook = webhook.failures > 0 ? webhook.due_at : null
  const times = [delivery.due_at, ofWebhook].flatMap((time) => time?.getTime() ?? [])
  return times.length === 0 ? delivery.created_at : new Date(Math.max(...times))
}
