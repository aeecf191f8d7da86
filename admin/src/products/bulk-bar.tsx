import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import type { BulkWork } from './bulk.ts'
import type { Product } from './queries.ts'

type BulkBarProps = {
  work: BulkWork
  chosen: readonly Product[]
  /** How many could be chosen on this page. */
  shown: number
  chooseAll: () => void
  chooseNone: () => void
}

/** What can be done with the products that are ticked. */
export function BulkBar({ work, chosen, shown, chooseAll, chooseNone }: BulkBarProps) {
  const { progress, run } = work
  if (progress !== undefined)
    return (
      <div className="save-bar" role="status">
        <span className="grow">{t('products.bulk.progress', { done: progress.done, total: progress.total })}</span>
        <progress
          className="ready-bar"
          max={progress.total}
          value={progress.done}
          aria-label={t('products.bulk.label')}
        />
      </div>
    )
  const change = async (published: boolean) => {
    const changed = await run(chosen, published)
    toast(t(published ? 'products.bulk.published' : 'products.bulk.hidden', { count: changed }))
    chooseNone()
  }
  if (chosen.length === 0) return null
  return (
    <section className="save-bar" aria-label={t('products.bulk.label')}>
      <span className="grow">{t('products.bulk.chosen', { count: chosen.length })}</span>
      {chosen.length < shown && (
        <Button look="plain" onClick={chooseAll}>
          {t('products.bulk.all', { count: shown })}
        </Button>
      )}
      <Button look="plain" onClick={chooseNone}>
        {t('products.bulk.none')}
      </Button>
      <Button onClick={() => void change(false)}>{t('products.hide')}</Button>
      <Button look="primary" onClick={() => void change(true)}>
        {t('products.publish')}
      </Button>
    </section>
  )
}

/** What could not be changed, and why, above the list. */
export function Failures({ work: { failures, forget } }: { work: BulkWork }) {
  if (failures.length === 0) return null
  return (
    <div className="notice bad" role="alert">
      <div className="grow">
        <p className="strong">{t('products.bulk.failed', { count: failures.length })}</p>
        <ul className="effects">
          {failures.map(({ id, title, why }) => (
            <li key={id}>{t('products.bulk.failure', { title, why })}</li>
          ))}
        </ul>
      </div>
      <Button onClick={forget}>{t('common.close')}</Button>
    </div>
  )
}
