import { useQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { longTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Order, withdrawalsQuery } from './queries.ts'

/** Withdrawals that the customer has declared in the shop. The owner has to pay back within the time that the law gives. */
export function Withdrawals({ order, refund }: { order: Order; refund: (() => void) | undefined }) {
  const withdrawals = useQuery(withdrawalsQuery(order.id)).data ?? []
  if (withdrawals.length === 0) return null
  return (
    <Card
      title={t('orders.withdrawals.title')}
      aside={t('orders.withdrawals.about')}
      end={
        refund !== undefined && (
          <Button icon="undo" onClick={refund}>
            {t('orders.refund')}
          </Button>
        )
      }
    >
      <ul className="rows">
        {withdrawals.map(({ id, received_at, email, goods, reason }) => (
          <li key={id}>
            <span className="grow">
              <span className="strong">{goods === '' ? t('orders.withdrawals.everything') : goods}</span>
              {reason !== '' && <span className="block">{t('orders.withdrawals.reason', { reason })}</span>}
              <span className="muted small block">
                {t('orders.withdrawals.from', { email, time: longTime(received_at) })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
