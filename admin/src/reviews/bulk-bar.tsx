import { Button } from '../ui/button.tsx'
import type { Bulk, Ticked } from '../ui/lists/bulk.ts'
import { BulkBar } from '../ui/lists/bulk-bar.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { decide, type Review, type State } from './queries.ts'

type Props = { work: Bulk<Review>; ticked: Ticked<Review>; shown: number; state: State }

/** Decides about one of many. Returns why it could not be done, if so. */
const workFor =
  (state: State) =>
  async ({ id }: Review): Promise<string | undefined> => {
    try {
      await decide(id, state)
      return undefined
    } catch (error) {
      return problemText(error)
    }
  }

/** What can be done with the reviews that are ticked. */
export function ReviewsBulkBar({ work, ticked, shown, state }: Props) {
  const { chosen } = ticked
  const set = async (next: 'approved' | 'rejected') => {
    const count = await work.run(chosen, workFor(next))
    ticked.none()
    toast(t(`reviews.many_${next}`, { count }), {
      title: t('common.undo'),
      run: () => void work.run(chosen, workFor(state)),
    })
  }
  return (
    <BulkBar
      label={t('reviews.bulk.label')}
      work={work}
      ticked={ticked}
      said={t('reviews.bulk.said', { count: chosen.length })}
      shown={shown}
    >
      {state !== 'approved' && (
        <Button look="primary" onClick={() => void set('approved')}>
          {t('reviews.approve')}
        </Button>
      )}
      {state !== 'rejected' && <Button onClick={() => void set('rejected')}>{t('reviews.reject')}</Button>}
    </BulkBar>
  )
}
