import { useQuery } from '@tanstack/react-query'
import { Check, TextArea, TextField } from '../ui/forms/fields.tsx'
import { scopeWordsQuery } from '../words/lazy.ts'
import { t } from '../words/words.ts'
import type { AppInput, RegisteredApp } from './queries.ts'

export type Scope = RegisteredApp['scopes'][number]

/** What an app may ask for. `player` is for apps of customers. */
export const SCOPES: readonly Scope[] = [
  'products',
  'orders',
  'customers',
  'files',
  'themes',
  'statistics',
  'webhooks',
  'companies',
  'users',
  'player',
]

/** An app as it is typed: addresses are lines. */
export type AppDraft = { name: string; addresses: string; scopes: readonly Scope[]; email: string; sync: string }

export const EMPTY_APP: AppDraft = { name: '', addresses: '', scopes: [], email: '', sync: '' }

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function inputOf({ name, addresses, scopes, email, sync }: AppDraft): AppInput {
  return {
    name: name.trim(),
    redirect_uris: linesOf(addresses),
    scopes: [...scopes],
    developer_email: email.trim(),
    data_change_sync_url: sync.trim() || null,
  }
}

export function draftOf({ app }: { app: RegisteredApp }): AppDraft {
  return {
    name: app.name,
    addresses: app.redirect_uris.join('\n'),
    scopes: app.scopes,
    email: app.developer_email,
    sync: app.data_change_sync_url ?? '',
  }
}

type Errors = Readonly<Record<string, readonly string[]>>

/** The first thing that is wrong with a field, or with one entry of it. */
function errorIn(errors: Errors, name: string): string | undefined {
  const path = Object.keys(errors).find((each) => each === name || each.startsWith(`${name}[`))
  return path === undefined ? undefined : errors[path]?.[0]
}

type AppFieldsProps = { draft: AppDraft; set: (part: Partial<AppDraft>) => void; errorsAt: Errors }

/** The fields of an app, for a new one and for one that is there. */
export function AppFields({ draft, set, errorsAt }: AppFieldsProps) {
  return (
    <>
      <TextField
        label={t('apps.name')}
        hint={t('apps.name_hint')}
        value={draft.name}
        maxLength={100}
        onValue={(name) => set({ name })}
        error={errorIn(errorsAt, 'name')}
      />
      <TextArea
        label={t('apps.addresses')}
        hint={t('apps.addresses_hint')}
        value={draft.addresses}
        onValue={(addresses) => set({ addresses })}
        error={errorIn(errorsAt, 'redirect_uris')}
      />
      <Scopes
        legend={t('apps.scopes')}
        hint={t('apps.scopes_hint')}
        chosen={draft.scopes}
        choose={(scopes) => set({ scopes })}
      />
      <TextField
        type="email"
        label={t('apps.email')}
        hint={t('apps.email_hint')}
        value={draft.email}
        maxLength={100}
        onValue={(email) => set({ email })}
        error={errorIn(errorsAt, 'developer_email')}
      />
      <TextField
        label={t('apps.sync')}
        hint={t('apps.sync_hint')}
        value={draft.sync}
        maxLength={2000}
        onValue={(sync) => set({ sync })}
        error={errorIn(errorsAt, 'data_change_sync_url')}
      />
    </>
  )
}

type ScopesProps = {
  legend: string
  hint?: string
  offered?: readonly Scope[]
  chosen: readonly Scope[]
  choose: (scopes: Scope[]) => void
}

/** What an app may use, in words. */
export function Scopes({ legend, hint, offered = SCOPES, chosen, choose }: ScopesProps) {
  const words = useQuery(scopeWordsQuery).data ?? String
  return (
    <fieldset className="stack">
      <legend className="strong">{legend}</legend>
      <div className="scopes">
        {offered.map((scope) => (
          <Check
            key={scope}
            label={words(scope)}
            isOn={chosen.includes(scope)}
            onChange={(isOn) => choose(isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
          />
        ))}
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  )
}
