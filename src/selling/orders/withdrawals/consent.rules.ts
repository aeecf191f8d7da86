import { t } from '#platform/text/messages.ts'

/** The text that customers agree to. It is stored and mailed as it was shown, so it does not belong to a theme. */
export function consentText(language: string): string {
  return t(language, 'rights.consent')
}
