import { SelectField } from '../../ui/forms/fields.tsx'
import { languageName } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { partsOf } from '../types.ts'

const ROLES = ['main_hd', 'main_sd', 'trailer', 'preview', 'extra', 'subtitles', 'trial'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (role: string): role is Role => ROLES.some((each) => each === role)

/** What films are spoken in most; the languages of shops come first. A file can have any other. */
const LANGUAGES = (
  'en de fr es it pt nl da sv nb fi is pl cs sk hu sl hr sr bs mk sq bg ro el tr ru uk lt lv et ' +
  'ga cy eu ca gl lb mt ar he fa hi bn ur ta te th vi id ms zh ja ko ka hy sw af la'
).split(' ')

/** Players offer subtitles by their language, so that those without one cannot be chosen. */
export const needsLanguage = (role: string) => role === 'subtitles'

/** What the files of a product of a type can be. */
export function rolesOf(type: number): readonly Role[] {
  const { hasVersions, hasTrial } = partsOf(type)
  return ROLES.filter((each) => (hasVersions || each !== 'main_hd') && (hasTrial || each !== 'trial'))
}

type RoleFieldProps = { label: string; type: number; value: Role; onValue: (role: Role) => void }

export function RoleField({ label, type, value, onValue }: RoleFieldProps) {
  const roles = rolesOf(type)
  // A file can have a role that its product no longer has.
  const options = roles.includes(value) ? roles : [value, ...roles]
  return (
    <SelectField
      label={label}
      value={value}
      onValue={onValue}
      options={options.map((each) => ({ value: each, title: t(`files.roles.${each}`) }))}
    />
  )
}

type LanguageFieldProps = { role: Role; value: string; onValue: (language: string) => void; error?: string | undefined }

/** The language that is spoken or written in a file. */
export function LanguageField({ role, value, onValue, error }: LanguageFieldProps) {
  const known = LANGUAGES.includes(value) || value === '' ? LANGUAGES : [value, ...LANGUAGES]
  const none = needsLanguage(role) ? t('files.choose_language') : t('files.no_language')
  return (
    <SelectField
      label={t('files.language')}
      value={value}
      onValue={onValue}
      error={error}
      hint={t(needsLanguage(role) ? 'files.language_needed' : 'files.language_hint')}
      options={[{ value: '', title: none }, ...known.map((each) => ({ value: each, title: languageName(each) }))]}
    />
  )
}
