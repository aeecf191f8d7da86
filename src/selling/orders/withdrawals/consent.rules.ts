import { t } from '#platform/text/messages.ts'

/** The text that customers agree to. It is stored and mailed as it was shown, so it does not belong to a theme. */
export function consentText(language: string): string {
  return t(language, 'rights.consent')
}

/** The same for a membership: a service that begins at once and is paid by the day if the customer withdraws. */
export function membershipConsentText(language: string): string {
  return t(language, 'rights.consent_membership')
}
