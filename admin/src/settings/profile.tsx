import './settings.css'
import { useQuery } from '@tanstack/react-query'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { LANGUAGES } from './languages.ts'
import { SettingsPage, WaitingCard } from './parts.tsx'
import { type ProfileChange, profileQuery, type User, useSaveProfile } from './queries.ts'
import { ZoneField } from './zone-field.tsx'

type Draft = { first_name: string; last_name: string; language: string; time_zone: number }

const draftOf = ({ user: { first_name, last_name, language, time_zone } }: { user: User }): Draft => ({
  first_name,
  last_name,
  language,
  time_zone,
})

function changesIn(before: Draft, after: Draft): ProfileChange {
  const names = ['first_name', 'last_name', 'language', 'time_zone'] as const
  return Object.fromEntries(names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]))
}

/** Who the signed-in user is. */
export function Profile() {
  const read = useQuery({ ...profileQuery, refetchOnWindowFocus: false })
  return (
    <SettingsPage part="profile" about={t('settings.profile.about')} failed={read.isError ? read : undefined}>
      {read.data === undefined ? <WaitingCard label={t('settings.parts.profile')} /> : <ProfileForm read={read.data} />}
    </SettingsPage>
  )
}

function ProfileForm({ read }: { read: { user: User; etag: string } }) {
  const saved = read.user.language
  const save = useSaveProfile()
  const editing = useEditing({ read, draftOf, changesIn, save, saidOf: () => t('settings.profile.saved') })
  const { draft, set, errorAt } = editing
  const known = LANGUAGES.includes(saved) ? LANGUAGES : [saved, ...LANGUAGES]
  return (
    <form className="stack" onSubmit={editing.submit}>
      <Card label={t('settings.parts.profile')}>
        <div className="card-body settings-fields">
          <TextField
            label={t('settings.profile.first_name')}
            name="first_name"
            autoComplete="given-name"
            value={draft.first_name}
            onValue={(first_name) => set({ first_name })}
            error={errorAt('first_name')}
            maxLength={100}
          />
          <TextField
            label={t('settings.profile.last_name')}
            name="last_name"
            autoComplete="family-name"
            value={draft.last_name}
            onValue={(last_name) => set({ last_name })}
            error={errorAt('last_name')}
            maxLength={100}
          />
          <div className="field whole">
            <span className="label">{t('settings.profile.email')}</span>
            <p>{read.user.email}</p>
            <p className="hint">{t('settings.profile.email_hint')}</p>
          </div>
          <SelectField
            label={t('settings.profile.language')}
            hint={t('settings.profile.language_hint')}
            name="language"
            value={draft.language}
            onValue={(language) => set({ language })}
            error={errorAt('language')}
            options={known.map((code) => ({ value: code, title: languageName(code) }))}
          />
          <ZoneField
            userId={read.user.id}
            offset={draft.time_zone}
            onOffset={(time_zone) => set({ time_zone })}
            error={errorAt('time_zone')}
          />
        </div>
      </Card>
      <SaveBar {...editing.bar} />
    </form>
  )
}
