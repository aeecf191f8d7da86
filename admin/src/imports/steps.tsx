import { Link } from '@tanstack/react-router'
import { Icon } from '../ui/icons.tsx'
import { t } from '../words/words.ts'
import type { Step } from './search.ts'

const ALL = ['file', 'columns', 'fix', 'import'] as const

/** Where in the import somebody is. Steps that were taken lead back, while the file can still be changed. */
export function Steps({ current, id, mayGoBack }: { current: 'file' | Step; id?: number; mayGoBack: boolean }) {
  const at = ALL.indexOf(current)
  return (
    <ol className="import-steps" aria-label={t('imports.steps.label')}>
      {ALL.map((step, place) => {
        const isDone = place < at
        const mark = <span className="step-mark">{isDone ? <Icon name="check" size={12} /> : place + 1}</span>
        const title = <span className="step-name">{t(`imports.steps.${step}`)}</span>
        return (
          <li key={step} className={isDone ? 'done' : undefined} aria-current={place === at ? 'step' : undefined}>
            {isDone && mayGoBack && id !== undefined && step !== 'file' ? (
              <Link to="/imports/$id" params={{ id: String(id) }} search={{ step: step as Step }}>
                {mark}
                {title}
              </Link>
            ) : (
              <>
                {mark}
                {title}
              </>
            )}
          </li>
        )
      })}
    </ol>
  )
}
