import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { Webhook } from './schema.ts'
import type { WebhookState } from './state.ts'

/** A webhook as the API shows it. It is presented when it is read, because the sender changes it. */
export function presentWebhook(webhook: WebhookState): Webhook {
  const isFailing = webhook.failures > 0
  return {
    id: webhook.id,
    topic: webhook.topic,
    address: webhook.address,
    format: 'json',
    is_active: webhook.is_active,
    inactive_reason: webhook.inactive_reason,
    app_id: webhook.app_id,
    failures: webhook.failures,
    failing_since: isFailing ? wireTimeOrNull(webhook.first_failed_at) : null,
    next_attempt_at: isFailing && webhook.is_active ? wireTimeOrNull(webhook.due_at) : null,
    created_at: wireTime(webhook.created_at),
    updated_at: `${wireTime(webhook.updated_at)}+00:00`,
  }
}
