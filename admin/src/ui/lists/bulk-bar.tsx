import type { ReactNode } from 'react'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import type { Bulk, Ticked } from './bulk.ts'

type BulkBarProps<Row extends { id: number }> = {
  label: string
  work: Bulk<Row>
  ticked: Ticked<Row>
  /** How many are chosen, in words. */
  said: string
  /** How many could be chosen on this page. */
  shown: number
  /** What can be done with them. */
  children: ReactNode
}

/** What can be done with the rows that are ticked, and how far it is. */
export function BulkBar<Row extends { id: number }>(props: BulkBarProps<Row>) {
  const { label, work, ticked, said, shown, children } = props
  const { progress } = work
  if (progress !== undefined)
    return (
      <div className="save-bar" role="status">
        <span className="grow">{t('bulk.progress', { done: progress.done, total: progress.total })}</span>
        <progress className="ready-bar" max={progress.total} value={progress.done} aria-label={label} />
      </div>
    )
  if (ticked.chosen.length === 0) return null
  return (
    <section className="save-bar" aria-label={label}>
      <span className="bulk-said">{said}</span>
      {!ticked.isAll && (
        <Button look="plain" onClick={ticked.all}>
          {t('bulk.all', { count: shown })}
        </Button>
      )}
      <Button look="plain" onClick={ticked.none}>
        {t('bulk.none')}
      </Button>
      {children}
    </section>
  )
}

/** What could not be done, and why, above the list. */
export function Failures({
  said,
  work: { failures, forget },
}: {
  said: string
  work: Pick<Bulk<never>, 'failures' | 'forget'>
}) {
  if (failures.length === 0) return null
  return (
    <div className="notice bad" role="alert">
      <div className="grow">
        <p className="strong">{said}</p>
        <ul className="effects">
          {failures.map(({ id, title, why }) => (
            <li key={id}>{t('bulk.failure', { title, why })}</li>
          ))}
        </ul>
      </div>
      <Button onClick={forget}>{t('common.close')}</Button>
    </div>
  )
}

/** The box at the head of a list that ticks all of its rows, or none. */
export function TickAll<Row extends { id: number }>({ ticked, label }: { ticked: Ticked<Row>; label: string }) {
  return (
    <input
      type="checkbox"
      className="tick-box"
      aria-label={label}
      checked={ticked.isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = ticked.chosen.length > 0 && !ticked.isAll
      }}
      onChange={ticked.isAll ? ticked.none : ticked.all}
    />
  )
}
