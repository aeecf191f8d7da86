import { Card } from '../ui/page.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Import } from './queries.ts'

const LABELS = {
  checking: 'imports.checking',
  importing: 'imports.steps.import',
  undoing: 'imports.undo.title',
} as const

/** How far the worker is. The page can be closed meanwhile. */
export function UnderWay({ file: { state, done, total } }: { file: Import }) {
  const label = t(LABELS[state === 'importing' || state === 'undoing' ? state : 'checking'])
  return (
    <Card label={label}>
      <div className="card-body import-progress">
        <progress className="progress" {...(total === 0 ? {} : { value: done, max: total })} aria-label={label} />
        <p className="muted figure" role="status">
          {total === 0 ? t('imports.begins') : t('imports.so_far', { done: count(done), total: count(total) })}
        </p>
        <p className="muted small">
          {t(state === 'importing' ? 'imports.whole' : state === 'undoing' ? 'imports.undo.leave' : 'imports.tried')}
        </p>
      </div>
    </Card>
  )
}
