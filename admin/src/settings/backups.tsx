import './settings.css'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { bytes, dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Backup, type Backups, backupsQuery, isUnderWay, useStartBackup } from './backups-queries.ts'
import { SettingsPage, WaitingCard } from './parts.tsx'

/** The backups of the whole service, for the operator's own company. */
export function BackupsScreen() {
  const backups = useQuery(backupsQuery)
  return (
    <SettingsPage part="backups" about={t('settings.backups.about')} failed={backups.isError ? backups : undefined}>
      {backups.data === undefined ? (
        <WaitingCard label={t('settings.backups.list')} />
      ) : (
        <div className="stack">
          <Run read={backups.data} />
          <Card label={t('settings.backups.list')}>
            <Table
              label={t('settings.backups.list')}
              columns={COLUMNS()}
              rows={backups.data.backups}
              keyOf={({ name }) => name}
              empty={<Empty icon="disk" text={t('settings.backups.none')} />}
            />
          </Card>
          <p className="muted">{t('settings.backups.restore')}</p>
        </div>
      )}
    </SettingsPage>
  )
}

/** How the last one went, and the button for the next. */
function Run({ read }: { read: Backups }) {
  const start = useStartBackup()
  const { run, left_today } = read
  const isBusy = isUnderWay(read)
  return (
    <Card title={t('settings.backups.new')}>
      <div className="card-body stack">
        {isBusy && run !== null && (
          <div role="status" className="stack">
            <p>{t(run.state === 'waiting' ? 'settings.backups.waiting' : 'settings.backups.running')}</p>
            {run.total > 0 && (
              <progress
                max={run.total}
                value={run.done}
                aria-label={t('settings.backups.progress', { done: run.done, total: run.total })}
              />
            )}
          </div>
        )}
        {run?.state === 'done' && <p role="status">{t('settings.backups.done')}</p>}
        {run?.state === 'failed' && (
          <p className="notice bad" role="alert">
            {t('settings.backups.failed', { problem: run.problem ?? '' })}
          </p>
        )}
        {start.error !== null && (
          <p className="notice bad" role="alert">
            {problemText(start.error)}
          </p>
        )}
        <div className="actions">
          <Button
            look="primary"
            disabled={isBusy || start.isPending || left_today === 0}
            onClick={() => start.mutate(undefined, { onSuccess: () => toast(t('settings.backups.started')) })}
          >
            {t('settings.backups.start')}
          </Button>
          <span className="muted">{t('settings.backups.left', { count: left_today })}</span>
        </div>
      </div>
    </Card>
  )
}

function Check({ damaged, checked_at }: Backup) {
  if (damaged) return <Chip tone="bad">{t('settings.backups.damaged')}</Chip>
  return checked_at === null ? (
    <Chip tone="draft">{t('settings.backups.unchecked')}</Chip>
  ) : (
    <Chip tone="ok">{t('settings.backups.checked')}</Chip>
  )
}

const COLUMNS = (): Column<Backup>[] => [
  {
    title: t('settings.backups.when'),
    place: 'first',
    cell: ({ created_at }) => <time className="strong">{dayAndTime(created_at)}</time>,
  },
  {
    title: t('settings.backups.content'),
    place: 'second',
    cell: ({ rows, files }) => (
      <span className="muted">
        {t('settings.backups.rows', { count: rows })}, {t('settings.backups.files', { count: files })}
      </span>
    ),
  },
  {
    title: t('settings.backups.size'),
    place: 'second-end',
    width: 'narrow',
    cell: ({ bytes: size }) => (
      <span className="figure">{size === null ? t('settings.backups.unknown') : bytes(size)}</span>
    ),
  },
  { title: t('settings.backups.state'), place: 'first-end', width: 'narrow', cell: Check },
]
