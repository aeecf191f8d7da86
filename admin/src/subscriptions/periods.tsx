import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { invoicesQuery, orderQuery } from '../orders/queries.ts'
import { useMay } from '../session/session.ts'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, type Tone } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Period, periodsQuery, type Subscription } from './queries.ts'
import { spanOf } from './words.ts'

const TONES: Record<Period['status'], Tone> = { open: 'wait', paid: 'ok', void: 'draft' }

/** What was paid for, newest first: each period with its order and its invoices. */
export function Periods({ subscription: { id, currency } }: { subscription: Subscription }) {
  const [span, setSpan] = useState<Span>({})
  const periods = useQuery(periodsQuery(id, span))
  return (
    <Card title={t('subscriptions.periods')}>
      {periods.isError && <Problem error={periods.error} retry={() => void periods.refetch()} />}
      {periods.isPending && <WaitingRows count={2} />}
      <ul className="rows tall">
        {periods.data?.rows.map((period) => (
          <PeriodRow key={period.id} period={period} currency={currency} />
        ))}
      </ul>
      <PageFoot page={periods.data} turnTo={setSpan} />
    </Card>
  )
}

function PeriodRow({ period, currency }: { period: Period; currency: string }) {
  const { number, order_id, status, credit } = period
  const order = useQuery(orderQuery(String(order_id))).data
  const invoices = useQuery({ ...invoicesQuery(order_id), enabled: useMay('accounting') }).data ?? []
  return (
    <li>
      <span className="grow">
        <span className="strong">{spanOf(period)}</span>
        {number === 0 && <span className="muted"> {t('subscriptions.trial')}</span>}
        <span className="block small">
          <Link to="/orders/$id" params={{ id: String(order_id) }}>
            {t('subscriptions.order', { order: order?.name ?? `#${order_id}` })}
          </Link>
          {invoices.map((invoice) => (
            <span key={invoice.id}>
              {' · '}
              <a href={`/admin/api/orders/${order_id}/invoices/${invoice.id}.pdf`}>
                {t(invoice.kind === 'invoice' ? 'subscriptions.invoice' : 'subscriptions.credit_note', {
                  number: invoice.number,
                })}
              </a>
            </span>
          ))}
        </span>
        {credit > 0 && (
          <span className="block muted small">{t('subscriptions.credited', { amount: money(credit, currency) })}</span>
        )}
      </span>
      <span className="figure">{order === undefined ? '' : money(order.total_price, order.currency)}</span>
      <Chip tone={TONES[status]}>{t(`subscriptions.period_states.${status}`)}</Chip>
    </li>
  )
}
