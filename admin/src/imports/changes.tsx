import { Link } from '@tanstack/react-router'
import { Icon } from '../ui/icons.tsx'
import { Card } from '../ui/page.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Import, Report } from './queries.ts'
import { fieldTitle } from './words.ts'

/** What the import would do, or has done. */
export function Changes({ file, report }: { file: Import; report: Report }) {
  const { created, changed, unchanged, skipped, refused } = report.counts
  const isDone = file.state === 'imported'
  const mails = report.warnings.find(({ reason }) => reason === 'news_recipient_asked')?.count ?? 0
  const lines = [
    { key: 'created', icon: 'plus' as const, value: created },
    { key: 'changed', icon: 'copy' as const, value: changed },
    { key: 'unchanged', icon: 'check' as const, value: unchanged },
    ...(skipped > 0 ? [{ key: 'skipped', icon: 'next' as const, value: skipped } as const] : []),
    ...(file.left_out.length > 0
      ? [{ key: 'left_out', icon: 'close' as const, value: file.left_out.length } as const]
      : []),
  ] as const
  return (
    <Card title={t(isDone ? 'imports.changes.done' : 'imports.changes.title')}>
      <dl className="import-changes">
        {lines.map(({ key, icon, value }) => (
          <div key={key}>
            <dt>
              <Icon name={icon} />
              {t(`imports.changes.${key}`)}
            </dt>
            <dd className="figure">{count(value)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <Icon name="mail" />
            {t('imports.changes.mails')}
          </dt>
          <dd className="figure">{count(mails)}</dd>
        </div>
        {refused > 0 && (
          <div className="wrong">
            <dt>
              <Icon name="warning" />
              {t('imports.changes.refused')}
            </dt>
            <dd className="figure">{count(refused)}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

/** What was decided about the columns. */
export function Mapping({ file }: { file: Import }) {
  return (
    <Card
      title={t('imports.steps.columns')}
      end={
        <Link className="muted" to="/imports/$id" params={{ id: String(file.id) }} search={{ step: 'columns' }}>
          {t('imports.change')}
        </Link>
      }
    >
      <dl className="import-map">
        {file.columns.map(({ heading, field }) => (
          <div key={heading}>
            <dt className="muted">{heading}</dt>
            <dd className={field === null ? 'muted' : undefined}>
              {field === null ? t('imports.left_out') : fieldTitle(field)}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
