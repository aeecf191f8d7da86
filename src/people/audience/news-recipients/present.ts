import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { newsRecipientState } from './rules.ts'
import type { NewsRecipient } from './schema.ts'
import type { NewsRecipientState } from './state.ts'

/** A newsletter recipient as the API shows it, without the token of the link to leave. */
export function presentNewsRecipient(recipient: NewsRecipientState): NewsRecipient {
  return {
    id: recipient.id,
    email: recipient.email,
    customer_token: recipient.customer_token,
    theme_setting_id: recipient.theme_setting_id,
    language: recipient.language,
    confirmed_at: wireTimeOrNull(recipient.confirmed_at),
    consent_source: recipient.consent_source,
    state: newsRecipientState(recipient),
    created_at: wireTime(recipient.created_at),
    updated_at: wireTime(recipient.updated_at),
  }
}
