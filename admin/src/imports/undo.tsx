import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { count, dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Import, type Undo, undoPreviewQuery, useUndo } from './queries.ts'
import { fieldTitle } from './words.ts'

/** Offers to undo an import, while that can be done. */
export function OfferUndo({ file }: { file: Import }) {
  const [isAsked, setIsAsked] = useState(false)
  const { undo_until, problem } = file
  if (undo_until === null || new Date(`${undo_until}Z`) <= new Date()) return null
  return (
    <Card title={t('imports.undo.title')}>
      <div className="card-body stack">
        {problem !== null && (
          <p className="notice bad" role="alert">
            {problem.message}
          </p>
        )}
        <p>{t('imports.undo.about', { until: dayAndTime(undo_until) })}</p>
        <div className="actions">
          <Button icon="undo" onClick={() => setIsAsked(true)}>
            {t('imports.undo.ask')}
          </Button>
        </div>
      </div>
      {isAsked && <AskUndo file={file} close={() => setIsAsked(false)} />}
    </Card>
  )
}

/** Shows what undoing would do before it is done. */
function AskUndo({ file, close }: { file: Import; close: () => void }) {
  const preview = useQuery(undoPreviewQuery(file.id))
  const undo = useUndo(file.id)
  return (
    <Dialog title={t('imports.undo.question', { file: file.file_name })} close={close}>
      <div className="stack">
        {preview.isError ? (
          <Problem error={preview.error} retry={() => void preview.refetch()} />
        ) : preview.data === undefined ? (
          <WaitingRows count={3} />
        ) : (
          <>
            <Counts undo={preview.data} isDone={false} />
            <KeptLines undo={preview.data} />
            <p className="muted">{t('imports.undo.no_way_back')}</p>
          </>
        )}
        {undo.error !== null && (
          <p className="notice bad" role="alert">
            {problemText(undo.error)}
          </p>
        )}
        <div className="actions">
          <Button
            look="danger"
            disabled={preview.data === undefined || undo.isPending}
            onClick={() => undo.mutate(undefined)}
          >
            {t('imports.undo.confirm')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** What undoing has done. */
export function Undone({ undo, actions }: { undo: Undo; actions: ReactNode }) {
  return (
    <Card title={t('imports.undo.done')}>
      <Counts undo={undo} isDone />
      <div className="card-body stack">
        {undo.lines.length === 0 ? <p>{t('imports.undo.all')}</p> : <KeptLines undo={undo} />}
        <div className="actions">{actions}</div>
      </div>
    </Card>
  )
}

function Counts({ undo, isDone }: { undo: Undo; isDone: boolean }) {
  const tense = isDone ? 'was' : 'will'
  const lines = [
    { key: 'removed', icon: 'close', value: undo.removed },
    { key: 'restored', icon: 'undo', value: undo.restored },
    { key: 'kept', icon: 'warning', value: undo.kept },
    { key: 'gone', icon: 'next', value: undo.gone },
  ] as const
  return (
    <dl className="import-changes">
      {lines
        .filter(({ key, value }) => value > 0 || key === 'removed' || key === 'restored')
        .map(({ key, icon, value }) => (
          <div key={key}>
            <dt>
              <Icon name={icon} />
              {t(`imports.undo.${tense}.${key}`)}
            </dt>
            <dd className="figure">{count(value)}</dd>
          </div>
        ))}
    </dl>
  )
}

/** What stays, line by line. */
function KeptLines({ undo: { lines } }: { undo: Undo }) {
  if (lines.length === 0) return null
  return (
    <section className="import-kept" aria-label={t('imports.undo.stays')}>
      <h3>{t('imports.undo.stays')}</h3>
      <ul>
        {lines.map(({ line, kind, name, reason, fields }) => (
          <li key={`${line} ${kind} ${name}`}>
            <span className="muted figure">{t('imports.line_name', { line: count(line) })}</span>{' '}
            <span className="strong">{name}</span>{' '}
            {fields.length === 0
              ? t(`imports.undo.reasons.${reason}`)
              : t('imports.undo.fields', { fields: fields.map(fieldTitle).join(', ') })}
          </li>
        ))}
      </ul>
    </section>
  )
}
