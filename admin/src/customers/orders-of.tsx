import './orders-of.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DeliveryChip, PaymentChip } from '../orders/status.tsx'
import { boughtIn } from '../orders/words.ts'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, ordersOfQuery } from './queries.ts'

/** The orders of a customer, newest first, page by page. */
export function OrdersOf({ customer }: { customer: Customer }) {
  const [span, setSpan] = useState<Span>({})
  const { data: orders, isError, error, refetch } = useQuery(ordersOfQuery(customer.token, span))
  const rows = orders?.rows ?? []
  if (rows.length === 0 && (orders !== undefined || customer.orders_count === 0)) return null
  return (
    <Card title={t('menu.orders')} aside={count(customer.orders_count)}>
      {isError && <Problem error={error} retry={() => void refetch()} />}
      {orders === undefined && !isError && <WaitingRows count={Math.min(3, customer.orders_count)} />}
      <ul className="rows orders-of">
        {rows.map((order) => (
          <li key={order.id}>
            <Link className="strong figure" to="/orders/$id" params={{ id: String(order.id) }}>
              {order.name}
            </Link>
            <time className="muted">{shortTime(order.created_at)}</time>
            <span className="muted cut">{boughtIn(order)}</span>
            <PaymentChip order={order} />
            <DeliveryChip order={order} />
            <span className="figure strong">{money(order.total_price, order.currency)}</span>
          </li>
        ))}
      </ul>
      <PageFoot page={orders} turnTo={setSpan} />
    </Card>
  )
}
