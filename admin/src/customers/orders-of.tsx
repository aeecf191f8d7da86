import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DeliveryChip, PaymentChip } from '../orders/status.tsx'
import { boughtIn } from '../orders/words.ts'
import { ListFoot } from '../ui/list.tsx'
import { Card } from '../ui/page.tsx'
import type { Span } from '../ui/pages.ts'
import { Problem } from '../ui/problem.tsx'
import { WaitingRows } from '../ui/waiting.tsx'
import { count, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, ordersOfQuery } from './queries.ts'

/** The orders of a customer, newest first, page by page. */
export function OrdersOf({ customer }: { customer: Customer }) {
  const [span, setSpan] = useState<Span>({})
  const { data: orders, isError, error, refetch } = useQuery(ordersOfQuery(customer.token, span))
  const rows = orders?.rows ?? []
  if (rows.length === 0 && (orders !== undefined || customer.orders_count === 0)) return null
  const [newest, oldest] = [rows[0], rows.at(-1)]
  const hasPages = orders !== undefined && (orders.hasNewer || orders.hasOlder)
  return (
    <Card title={t('menu.orders')} aside={count(customer.orders_count)}>
      {isError && <Problem error={error} retry={() => void refetch()} />}
      {orders === undefined && !isError && <WaitingRows count={Math.min(3, customer.orders_count)} />}
      <ul className="rows">
        {rows.map((order) => (
          <li key={order.id}>
            <span className="grow cut">
              <Link className="strong figure" to="/orders/$id" params={{ id: String(order.id) }}>
                {order.name}
              </Link>{' '}
              <time className="muted small">{shortTime(order.created_at)}</time>{' '}
              <span className="muted">{boughtIn(order)}</span>
            </span>
            <PaymentChip order={order} />
            <DeliveryChip order={order} />
            <span className="figure strong">{money(order.total_price, order.currency)}</span>
          </li>
        ))}
      </ul>
      {hasPages && (
        <ListFoot
          said=""
          newer={{
            title: t('list.newer'),
            turn: orders.hasNewer && newest !== undefined ? () => setSpan({ after: newest.id }) : undefined,
          }}
          older={{
            title: t('list.older'),
            turn: orders.hasOlder && oldest !== undefined ? () => setSpan({ before: oldest.id }) : undefined,
          }}
        />
      )}
    </Card>
  )
}
