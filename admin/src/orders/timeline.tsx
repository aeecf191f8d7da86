import { Card } from '../ui/page.tsx'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Order } from './queries.ts'
import { isPaid } from './status.tsx'

type Moment = { key: string; at: string; text: string; note?: string | null; tone?: 'ok' | 'bad' }

/** What happened to an order, newest first. Of two things in the same second, the later one is named first here. */
function momentsOf(order: Order): Moment[] {
  const { currency } = order
  return [
    ...(order.cancelled_at === null
      ? []
      : [{ key: 'cancelled', at: order.cancelled_at, text: t('timeline.cancelled'), tone: 'bad' as const }]),
    ...order.refunds.map(({ id, created_at, note, transactions }) => ({
      key: `refund ${id}`,
      at: created_at,
      text: t('timeline.refunded', {
        amount: money(
          transactions.reduce((sum, { amount }) => sum + amount, 0),
          currency,
        ),
      }),
      note,
    })),
    ...order.fulfillments.map(({ id, created_at }) => ({
      key: `shipped ${id}`,
      at: created_at,
      text: t('timeline.shipped'),
      tone: 'ok' as const,
    })),
    ...(isPaid(order) && order.processed_at !== null
      ? [
          {
            key: 'paid',
            at: order.processed_at,
            text: t('timeline.paid', { amount: money(order.total_price, currency), gateway: order.gateway }),
            tone: 'ok' as const,
          },
        ]
      : []),
    { key: 'placed', at: order.created_at, text: t('timeline.placed') },
  ].sort((one, other) => other.at.localeCompare(one.at))
}

export function Timeline({ order }: { order: Order }) {
  return (
    <Card title={t('timeline.title')}>
      <ol className="timeline">
        {momentsOf(order).map(({ key, at, text, note, tone }) => (
          <li key={key} className={tone}>
            <span>
              {text}
              {note != null && note !== '' && <span className="muted"> “{note}”</span>}
            </span>
            <time>{shortTime(at)}</time>
          </li>
        ))}
      </ol>
    </Card>
  )
}
