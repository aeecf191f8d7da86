import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { flaggedQuery, type Payment, useResolve, useRetryRefunds } from './flagged-queries.ts'

type Flag = 'amount_differs' | 'order_cancelled' | 'paid_twice' | 'refund_failed' | 'refunded_elsewhere' | 'disputed'

/** Payments that are not as they should be: why, what to do about it, and the way to say that it is done. */
export function FlaggedPayments({ orderId }: { orderId?: number }) {
  const flagged = useQuery({ ...flaggedQuery(orderId), enabled: useMay('accounting') })
  if (flagged.isError) return <Problem error={flagged.error} retry={() => void flagged.refetch()} />
  if (flagged.data === undefined || flagged.data.length === 0) return null
  return (
    <Card title={t('payments.flagged.title')} aside={t('payments.flagged.about')}>
      <ul className="rows tall">
        {flagged.data.map((payment) => (
          <Row key={payment.id} payment={payment} isLinked={orderId === undefined} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ payment, isLinked }: { payment: Payment; isLinked: boolean }) {
  const [resolve, retry] = [useResolve(), useRetryRefunds()]
  const say = (text: string) => ({
    onSuccess: () => toast(text),
    onError: (error: Error) => toast(problemText(error)),
  })
  const flags = payment.flags as Flag[]
  const isBusy = resolve.isPending || retry.isPending
  return (
    <li>
      <span className="grow">
        {isLinked && (
          <Link className="strong" to="/orders/$id" params={{ id: String(payment.order_id) }}>
            #{payment.order_id}
          </Link>
        )}{' '}
        {flags.map((flag) => (
          <Chip key={flag} tone="bad">
            {t(`payments.flagged.flags.${flag}`)}
          </Chip>
        ))}
        <span className="muted small block">
          {t('payments.flagged.sums', {
            time: shortTime(payment.updated_at),
            gateway: payment.gateway,
            due: money(payment.amount, payment.currency),
            paid: money(payment.paid_amount, payment.currency),
            back: money(payment.refunded_amount, payment.currency),
          })}
        </span>
        {flags.map((flag) => (
          <span key={flag} className="small block">
            {t(`payments.flagged.todo.${flag}`)}
          </span>
        ))}
      </span>
      <span className="row-actions">
        {flags.includes('refund_failed') && (
          <Button
            icon="undo"
            disabled={isBusy}
            onClick={() => retry.mutate(payment, say(t('payments.flagged.retried')))}
          >
            {t('payments.flagged.retry')}
          </Button>
        )}
        <Button
          icon="check"
          disabled={isBusy}
          onClick={() => resolve.mutate(payment, say(t('payments.flagged.resolved')))}
        >
          {t('payments.flagged.resolve')}
        </Button>
      </span>
    </li>
  )
}
