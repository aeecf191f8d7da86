import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ordersQuery } from '../orders/queries.ts'
import { PaymentChip } from '../orders/status.tsx'
import { boughtIn, buyerOf } from '../orders/words.ts'
import { Picture, usePictures } from '../products/pictures.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { clockOrDay, money } from '../words/format.ts'
import { t } from '../words/words.ts'

const LATEST = 6

export function LatestOrders() {
  const orders = useQuery(ordersQuery({}))
  const rows = orders.data?.rows.slice(0, LATEST)
  const pictures = usePictures(
    rows?.flatMap(({ line_items }) => line_items.slice(0, 1).map(({ product_id }) => product_id)) ?? [],
  )
  return (
    <Card
      title={t('home.latest')}
      end={
        <Link className="muted" to="/orders">
          {t('home.all_orders')}
        </Link>
      }
    >
      {orders.isError ? (
        <Problem error={orders.error} retry={() => void orders.refetch()} />
      ) : rows === undefined ? (
        <WaitingRows count={LATEST} />
      ) : rows.length === 0 ? (
        <Empty icon="orders" text={t('orders.none')} />
      ) : (
        <ul className="rows latest-orders">
          {rows.map((order) => (
            <li key={order.id} className="latest-order">
              <Picture src={pictures.get(order.line_items[0]?.product_id ?? '')} />
              <span className="grow cut">
                <Link className="strong" to="/orders/$id" params={{ id: String(order.id) }}>
                  {buyerOf(order)}
                </Link>
                <br />
                <span className="muted small">{boughtIn(order)}</span>
              </span>
              <time className="muted small">{clockOrDay(order.created_at)}</time>
              <PaymentChip order={order} />
              <span className="strong figure">{money(order.total_price, order.currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
