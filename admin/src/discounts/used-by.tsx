import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ordersQuery } from '../orders/queries.ts'
import { buyerOf } from '../orders/words.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Discount } from './queries.ts'
import { usesOf } from './words.ts'

/** The orders that used a discount, newest first, with what each of them saved. */
export function UsedBy({ discount }: { discount: Discount }) {
  const search = { discount: discount.id }
  const orders = useQuery(ordersQuery(search))
  return (
    <Card title={t('discounts.used_by')} aside={usesOf(discount)}>
      {orders.isError ? (
        <Problem error={orders.error} retry={() => void orders.refetch()} />
      ) : orders.data === undefined ? (
        <WaitingRows count={2} />
      ) : orders.data.rows.length === 0 ? (
        <p className="card-body muted">{t('discounts.not_used')}</p>
      ) : (
        <ul className="rows">
          {orders.data.rows.map((order) => (
            <li key={order.id}>
              <span className="grow cut">
                <Link className="strong figure" to="/orders/$id" params={{ id: String(order.id) }}>
                  {order.name}
                </Link>{' '}
                {buyerOf(order)} <time className="muted small">{shortTime(order.created_at)}</time>
              </span>
              <span className="figure">
                {t('discounts.saved_amount', {
                  amount: money(order.discount_codes.find(({ id }) => id === discount.id)?.amount ?? 0, order.currency),
                })}
              </span>
            </li>
          ))}
          {orders.data.hasOlder && (
            <li>
              <Link to="/orders" search={search}>
                {t('discounts.more_orders')}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Card>
  )
}
