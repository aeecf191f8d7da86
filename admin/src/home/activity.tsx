import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { clockOrDay } from '../words/format.ts'
import { actionWordsQuery } from '../words/lazy.ts'
import { t } from '../words/words.ts'
import { type AuditEntry, activityQuery } from './queries.ts'

const SHOWN = 6
/** They happen all day, and are on the page of all activity. */
const EVERYDAY: ReadonlySet<string> = new Set(['signed in', 'signed out', 'token exchanged', 'test event sent'])
const REFUSED: ReadonlySet<string> = new Set(['sign-in refused', 'token exchange refused', 'app denied'])

/** Where the operator's own commands come from. */
const COMMAND_LINE = 'command line'

/** What was just done, by whom. */
export function Activity() {
  const activity = useQuery(activityQuery)
  const actions = useQuery(actionWordsQuery)
  const error = activity.error ?? actions.error
  const shown = activity.data?.entries.filter(({ action }) => !EVERYDAY.has(action)).slice(0, SHOWN)
  return (
    <Card
      title={t('home.happened.title')}
      end={
        <Link className="muted" to="/settings/activity">
          {t('home.happened.all')}
        </Link>
      }
    >
      {error !== null ? (
        <Problem error={error} retry={() => void activity.refetch()} />
      ) : shown === undefined || actions.data === undefined ? (
        <WaitingRows count={3} />
      ) : shown.length === 0 ? (
        <p className="card-body muted">{t('home.happened.nothing')}</p>
      ) : (
        <ol className="timeline">
          {shown.map((entry) => (
            <Entry
              key={entry.id}
              entry={entry}
              action={actions.data(entry.action)}
              who={activity.data?.names.get(entry.user_id ?? 0) ?? entry.user_email ?? undefined}
            />
          ))}
        </ol>
      )}
    </Card>
  )
}

function Entry({ entry, action, who }: { entry: AuditEntry; action: string; who: string | undefined }) {
  const { subject, address, created_at } = entry
  const nobody = address === COMMAND_LINE ? t('home.happened.command_line') : t('home.happened.nobody')
  return (
    <li className={REFUSED.has(entry.action) ? 'bad' : undefined}>
      <span>
        {subject === '' || subject === who ? action : t('home.happened.what', { action, subject })}
        <br />
        <span className="muted small">{who ?? nobody}</span>
      </span>
      <time>{clockOrDay(created_at)}</time>
    </li>
  )
}
