import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { SelectField } from '../ui/forms/fields.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { errorsOf, Problem, problemText } from '../ui/problem.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type AppDraft, AppFields, draftOf, inputOf, SCOPES, type Scope, Scopes } from './fields.tsx'
import { type AppInput, appQuery, type RegisteredApp, useMakeToken, useRotateSecret, useSaveApp } from './queries.ts'
import { Secret } from './secret.tsx'

const route = getRouteApi('/apps/$id')
const TRAIL = () => ({ to: '/apps', title: t('menu.apps') })

/** An app that the company has registered. */
export function AppDetail() {
  const id = Number(route.useParams().id)
  const read = useQuery(appQuery(id))
  if (read.data !== undefined) return <Editor key={id} read={read.data} />
  return (
    <Page title={t('menu.apps')} trail={TRAIL()}>
      {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
    </Page>
  )
}

/** What differs, as the API takes it. */
function changesIn(before: AppDraft, after: AppDraft): AppInput {
  const [old, now] = [inputOf(before), inputOf(after)]
  const names = Object.keys(now) as (keyof AppInput)[]
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  return Object.fromEntries(changed.map((name) => [name, now[name]]))
}

function Editor({ read }: { read: { app: RegisteredApp; etag: string } }) {
  const { app } = read
  const save = useSaveApp(app.id)
  const { draft, set, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save,
    saidOf: ({ name }) => t('apps.saved', { app: name }),
  })
  return (
    <Page
      title={app.name}
      trail={TRAIL()}
      chips={app.is_installed && <Chip tone="ok">{t('apps.is_installed')}</Chip>}
      about={
        <>
          {t('apps.client_id')} <code>{app.client_id}</code>{' '}
          <CopyButton text={app.client_id} label={t('apps.copy', { what: t('apps.client_id') })} />
        </>
      }
    >
      <div className="columns">
        <form onSubmit={submit}>
          <Card title={t('apps.details')}>
            <div className="card-body stack">
              <AppFields draft={draft} set={set} errorsAt={errorsOf(save.error)} />
            </div>
          </Card>
          <SaveBar {...bar} />
        </form>
        <div className="stack">
          <SecretCard app={app} />
          <TokenCard app={app} />
        </div>
      </div>
    </Page>
  )
}

const DAY = 86_400
const OVERLAPS = ['0', String(DAY), String(7 * DAY)] as const

function SecretCard({ app }: { app: RegisteredApp }) {
  const rotate = useRotateSecret(app.id)
  const [isAsked, ask] = useState(false)
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>(String(DAY))
  const { previous_secret_until } = app
  return (
    <Card title={t('apps.secret')}>
      <div className="card-body stack">
        {rotate.data === undefined ? (
          <p>{t('apps.secret_about')}</p>
        ) : (
          <Secret label={t('apps.secret')} value={rotate.data} />
        )}
        {previous_secret_until !== null && new Date(`${previous_secret_until}Z`) > new Date() && (
          <p className="hint">{t('apps.secret_until', { date: dayAndTime(previous_secret_until) })}</p>
        )}
        <div className="actions">
          <Button onClick={() => ask(true)}>{t('apps.rotate')}</Button>
        </div>
      </div>
      {isAsked && (
        <Confirm
          title={t('apps.rotate_title')}
          text={t('apps.rotate_text')}
          action={t('apps.rotate')}
          problem={rotate.isError ? problemText(rotate.error) : undefined}
          isBusy={rotate.isPending}
          confirm={() => rotate.mutate(Number(overlap), { onSuccess: () => ask(false) })}
          close={() => ask(false)}
        >
          <SelectField
            label={t('apps.overlap')}
            value={overlap}
            onValue={setOverlap}
            options={OVERLAPS.map((value) => ({ value, title: t('apps.overlaps', { days: Number(value) / DAY }) }))}
          />
        </Confirm>
      )}
    </Card>
  )
}

const LIFETIMES = ['1800', String(DAY), String(30 * DAY), String(365 * DAY)] as const

/** A token for a script of one's own, without the way through the consent page. */
function TokenCard({ app }: { app: RegisteredApp }) {
  const make = useMakeToken(app.id)
  const offered = SCOPES.filter(
    (scope) => scope !== 'player' && (app.scopes.length === 0 || app.scopes.includes(scope)),
  )
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]>(String(DAY))
  return (
    <Card title={t('apps.token')}>
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate({ scopes: [...scopes], expires_in: Number(lifetime) })
        }}
      >
        <p>{t('apps.token_about')}</p>
        {make.data !== undefined && <Secret label={t('apps.token')} value={make.data.access_token} />}
        <Scopes legend={t('apps.token_scopes')} offered={offered} chosen={scopes} choose={setScopes} />
        <SelectField
          label={t('apps.token_lifetime')}
          value={lifetime}
          onValue={setLifetime}
          options={LIFETIMES.map((value) => ({
            value,
            title: t('apps.token_lifetimes', { days: Math.floor(Number(value) / DAY) }),
          }))}
        />
        {make.isError && (
          <p className="notice bad" role="alert">
            {problemText(make.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" disabled={make.isPending || scopes.length === 0}>
            {t('apps.make_token')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
