import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { scopeWordsQuery } from '../words/lazy.ts'
import { t } from '../words/words.ts'
import { type AppPermission, permissionsQuery, useRemoveApp } from './queries.ts'

/** The apps that were let in, what they may use, when they were last there, and the way out for them. */
export function Installed() {
  const apps = useQuery(permissionsQuery)
  const scopes = useQuery(scopeWordsQuery)
  const [removed, setRemoved] = useState<AppPermission>()
  return (
    <Card title={t('apps.installed')}>
      {apps.isError ? (
        <Problem error={apps.error} retry={() => void apps.refetch()} />
      ) : apps.data === undefined || scopes.data === undefined ? (
        <WaitingRows count={2} />
      ) : apps.data.length === 0 ? (
        <Empty icon="webhook" text={t('apps.none')} />
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
              <Button aria-label={t('apps.remove_app', { app: app.name })} onClick={() => setRemoved(app)}>
                {t('apps.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {removed !== undefined && <Removal app={removed} close={() => setRemoved(undefined)} />}
    </Card>
  )
}

function allowedText({ user_email, customers, created_at, last_token_at }: AppPermission): string {
  const date = dayAndTime(created_at)
  if (user_email === null) return t('apps.allowed_by_customers', { count: customers, date })
  const allowed = t('apps.allowed', { email: user_email, date })
  return last_token_at === null ? allowed : `${allowed}. ${t('apps.last_used', { date: dayAndTime(last_token_at) })}`
}

function Removal({ app, close }: { app: AppPermission; close: () => void }) {
  const remove = useRemoveApp()
  return (
    <Confirm
      title={t('apps.remove_title', { app: app.name })}
      text={t(app.user_email === null ? 'apps.stops_for_customers' : 'apps.stops')}
      action={t('apps.remove')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(app, {
          onSuccess: () => {
            toast(t('apps.removed', { app: app.name }))
            close()
          },
        })
      }
      close={close}
    />
  )
}
