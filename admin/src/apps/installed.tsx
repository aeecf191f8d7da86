import './settings.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Empty } from '../ui/list.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { WaitingRows } from '../ui/waiting.tsx'
import { dayAndTime } from '../words/format.ts'
import { scopeWordsQuery } from '../words/lazy.ts'
import { t } from '../words/words.ts'
import { SettingsPage } from './parts.tsx'
import { type AppPermission, appsQuery, useRemoveApp } from './queries.ts'

/** The apps that were let in, what they may use, and the way out for them. */
export function Apps() {
  const apps = useQuery(appsQuery)
  const scopes = useQuery(scopeWordsQuery)
  const mayRemove = useMay('create_users')
  const [removed, setRemoved] = useState<AppPermission>()
  return (
    <SettingsPage part="apps" about={t('settings.apps.about')} failed={apps.isError ? apps : undefined}>
      <Card label={t('settings.parts.apps')}>
        {apps.data === undefined || scopes.data === undefined ? (
          <WaitingRows count={2} />
        ) : apps.data.length === 0 ? (
          <Empty icon="webhook" text={t('settings.apps.none')} />
        ) : (
          <ul className="rows">
            {apps.data.map((app) => (
              <li key={`${app.id} ${app.customers}`}>
                <span className="grow">
                  <span className="strong">{app.name}</span>
                  <br />
                  {app.scopes.map(scopes.data).join(', ')}
                  <br />
                  <span className="muted small">{allowedText(app)}</span>
                </span>
                {mayRemove && (
                  <Button aria-label={t('settings.apps.remove_app', { app: app.name })} onClick={() => setRemoved(app)}>
                    {t('settings.apps.remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {removed !== undefined && <Removal app={removed} close={() => setRemoved(undefined)} />}
    </SettingsPage>
  )
}

function allowedText({ user_email, customers, created_at }: AppPermission): string {
  const date = dayAndTime(created_at)
  return user_email === null
    ? t('settings.apps.allowed_by_customers', { count: customers, date })
    : t('settings.apps.allowed', { email: user_email, date })
}

function Removal({ app, close }: { app: AppPermission; close: () => void }) {
  const remove = useRemoveApp()
  return (
    <Confirm
      title={t('settings.apps.remove_title', { app: app.name })}
      text={t(app.user_email === null ? 'settings.apps.stops_for_customers' : 'settings.apps.stops')}
      action={t('settings.apps.remove')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(app, {
          onSuccess: () => {
            toast(t('settings.apps.removed', { app: app.name }))
            close()
          },
        })
      }
      close={close}
    />
  )
}
