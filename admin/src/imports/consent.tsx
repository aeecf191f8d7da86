import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Import } from './queries.ts'

/** The consent of all lines of a file that have none of their own. */
export type FileConsent = { confirmed_at: string; consent_source: string }

const FIELDS = ['confirmed_at', 'consent_source'] as const

const defaultIn = ({ defaults }: Import, field: string) => defaults.find((each) => each.field === field)?.value ?? ''

export const consentIn = (file: Import): FileConsent => ({
  confirmed_at: defaultIn(file, 'confirmed_at'),
  consent_source: defaultIn(file, 'consent_source'),
})

/** What the API is told, or nothing if nothing differs. */
export function defaultsWith(file: Import, consent: FileConsent) {
  const before = consentIn(file)
  if (FIELDS.every((field) => before[field] === consent[field].trim())) return {}
  const others = file.defaults.filter(({ field }) => !FIELDS.some((each) => each === field))
  const given = FIELDS.map((field) => ({ field, value: consent[field].trim() })).filter(({ value }) => value !== '')
  return { defaults: [...others, ...given] }
}

type ConsentCardProps = { consent: FileConsent; set: (part: Partial<FileConsent>) => void }

/** Where the consent of newsletter recipients comes from. Who has given none is asked by mail. */
export function ConsentCard({ consent, set }: ConsentCardProps) {
  return (
    <Card title={t('imports.consent.title')}>
      <div className="card-body stack">
        <p>{t('imports.consent.text')}</p>
        <div className="pair">
          <TextField
            type="date"
            label={t('imports.consent.day')}
            value={consent.confirmed_at}
            onValue={(confirmed_at) => set({ confirmed_at })}
          />
          <TextField
            label={t('imports.consent.source')}
            hint={t('imports.consent.source_hint')}
            value={consent.consent_source}
            onValue={(consent_source) => set({ consent_source })}
            maxLength={500}
          />
        </div>
        <p className="muted">{t('imports.consent.without')}</p>
      </div>
    </Card>
  )
}
