import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type OwnSession, sessionsQuery, useEndSessions } from './queries.ts'

function nameOf({ browser, system }: OwnSession): string {
  const name = browser ?? t('settings.sessions.unknown')
  return system === null ? name : t('settings.sessions.browser_on', { browser: name, system })
}

/** The browsers in which the user has signed in, and the ways out. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const [asked, setAsked] = useState<'elsewhere' | 'everywhere'>()
  const end = useEndSessions()
  const others = sessions.data?.some(({ current }) => !current) === true
  return (
    <Card title={t('settings.sessions.title')}>
      {sessions.isError ? (
        <Problem error={sessions.error} retry={() => void sessions.refetch()} />
      ) : sessions.data === undefined ? (
        <WaitingRows count={2} />
      ) : (
        <ul className="rows">
          {sessions.data.map((session) => (
            <li key={`${session.created_at} ${session.address} ${nameOf(session)}`}>
              <span className="grow">
                <span className="strong">{nameOf(session)}</span>
                <br />
                <span className="muted small">
                  {t('settings.sessions.seen', { time: dayAndTime(session.seen_at), address: session.address })}
                </span>
              </span>
              {session.current && <Chip tone="ok">{t('settings.sessions.this')}</Chip>}
            </li>
          ))}
        </ul>
      )}
      <div className="card-body actions">
        {others && <Button onClick={() => setAsked('elsewhere')}>{t('settings.sessions.elsewhere')}</Button>}
        <Button onClick={() => setAsked('everywhere')}>{t('settings.sessions.everywhere')}</Button>
      </div>
      {asked !== undefined && (
        <Confirm
          title={t(`settings.sessions.${asked}_title`)}
          text={t(`settings.sessions.${asked}_text`)}
          action={t(`settings.sessions.${asked}`)}
          problem={end.isError ? problemText(end.error) : undefined}
          isBusy={end.isPending}
          confirm={() =>
            end.mutate(asked === 'everywhere', {
              onSuccess: () => {
                if (asked === 'elsewhere') toast(t('settings.sessions.elsewhere_done'))
                setAsked(undefined)
              },
            })
          }
          close={() => setAsked(undefined)}
        />
      )}
    </Card>
  )
}
