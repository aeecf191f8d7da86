import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Discount, useDeleteDiscount, useSaveDiscount } from './queries.ts'

/** Stops a discount, or takes it off the list. */
export function End({ discount, canStop }: { discount: Discount; canStop: boolean }) {
  const { id, code } = discount
  const [asked, ask] = useState<'stop' | 'delete'>()
  const stop = useSaveDiscount(id)
  const remove = useDeleteDiscount(id)
  const navigate = useNavigate()
  const close = () => ask(undefined)
  const stopNow = () =>
    stop.mutate(
      // The service wants an end after the beginning, also of what has not begun yet.
      {
        changes: { ends_at: new Date().toISOString().slice(0, 19), ...(isAhead(discount) ? { starts_at: null } : {}) },
      },
      {
        onSuccess: () => {
          toast(t('discounts.stopped', { code }))
          close()
        },
      },
    )
  const removeIt = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(t('discounts.deleted', { code }))
        void navigate({ to: '/discounts', ignoreBlocker: true })
      },
    })
  const failure = asked === 'stop' ? stop.error : remove.error
  return (
    <>
      {canStop && <Button onClick={() => ask('stop')}>{t('discounts.stop')}</Button>}
      <Button look="danger" onClick={() => ask('delete')}>
        {t('discounts.delete')}
      </Button>
      {asked !== undefined && (
        <Confirm
          title={t(`discounts.${asked}_title`, { code })}
          text={t(`discounts.${asked}_text`)}
          action={t(`discounts.${asked}`)}
          isDanger
          problem={failure === null ? undefined : problemText(failure)}
          isBusy={stop.isPending || remove.isPending}
          confirm={asked === 'stop' ? stopNow : removeIt}
          close={close}
        />
      )}
    </>
  )
}

const isAhead = ({ starts_at }: Discount) => starts_at !== null && new Date(`${starts_at}Z`) >= new Date()
