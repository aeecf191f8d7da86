import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'

/** When and where somebody agreed to get the newsletter. */
export type Consent = { day: string; source: string }

export const NO_CONSENT: Consent = { day: '', source: '' }

/** A consent that nobody can prove is none. */
export const isProven = ({ day, source }: Consent) => day !== '' && source.trim() !== ''

/** The consent as the API takes it. Of a day, noon is as near as anybody knows; today, it is now. */
export function consentOf({ day, source }: Consent, now = new Date()) {
  const noon = new Date(`${day}T12:00:00`)
  return {
    confirmed_at: (noon > now ? now : noon).toISOString().slice(0, 19),
    consent_source: source.trim(),
  }
}

type FieldsProps = {
  consent: Consent
  set: (part: Partial<Consent>) => void
  errorAt: ErrorAt
  /** Was there an attempt to save? Nobody is told that a field is empty before that. */
  isTried: boolean
}

export function ConsentFields({ consent, set, errorAt, isTried }: FieldsProps) {
  const missing = (value: string) =>
    isTried && value.trim() === '' ? t('audience.newsletter.consent_missing') : undefined
  return (
    <>
      <TextField
        type="date"
        label={t('audience.newsletter.consent_day')}
        value={consent.day}
        onValue={(day) => set({ day })}
        error={missing(consent.day) ?? errorAt('confirmed_at')}
      />
      <TextField
        label={t('audience.newsletter.consent_source')}
        hint={t('audience.newsletter.consent_source_hint')}
        value={consent.source}
        onValue={(source) => set({ source })}
        error={missing(consent.source) ?? errorAt('consent_source')}
        maxLength={500}
      />
    </>
  )
}
