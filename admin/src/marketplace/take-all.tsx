import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Entry, useTakeAll } from './queries.ts'

/** Takes everything that a company offers into the own shop, hidden at first or shown at once. */
export function TakeAll({ entry: { market_id, company_name, product_count } }: { entry: Entry }) {
  const [asked, ask] = useState<'add' | 'activate'>()
  const take = useTakeAll()
  const close = () => {
    ask(undefined)
    take.reset()
  }
  return (
    <div className="actions">
      <Button onClick={() => ask('add')}>{t('marketplace.add_all')}</Button>
      <Button onClick={() => ask('activate')}>{t('marketplace.activate_all')}</Button>
      {asked !== undefined && (
        <Confirm
          title={t('marketplace.all_title', { name: company_name })}
          text={t(`marketplace.${asked}_all_text`, { count: product_count })}
          action={t(`marketplace.${asked}_all`)}
          problem={take.error === null ? undefined : problemText(take.error)}
          isBusy={take.isPending}
          confirm={() =>
            take.mutate(
              { id: market_id, isShown: asked === 'activate' },
              {
                onSuccess: ({ added }) => {
                  toast(t('marketplace.added_all', { count: added }))
                  close()
                },
              },
            )
          }
          close={close}
        />
      )}
    </div>
  )
}
