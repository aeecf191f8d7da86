import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ordersOfQuery } from '../customers/queries.ts'
import { useMay } from '../session/session.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Card } from '../ui/page.tsx'
import { countryName, languageName, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { invoicesQuery, type Order } from './queries.ts'
import { BY_HAND } from './status.tsx'
import { buyerOf } from './words.ts'

export function Buyer({ order }: { order: Order }) {
  const { customer, shipping_address: address } = order
  return (
    <Card
      title={t('orders.customer')}
      end={
        customer === null ? undefined : (
          <Link to="/customers/$token" params={{ token: order.customer_token }}>
            {t('orders.open_customer')}
          </Link>
        )
      }
    >
      <dl className="facts">
        <div>
          <dt className="hidden">{t('orders.name')}</dt>
          <dd className="strong">{buyerOf(order)}</dd>
          {customer !== null && customer.orders_count > 0 && (
            <dd className="muted">
              {t('orders.history', {
                count: customer.orders_count,
                spent: money(customer.total_spent, order.currency),
              })}
            </dd>
          )}
        </div>
        <div>
          <dt>{t('orders.email')}</dt>
          <dd className="with-end">
            <a className="cut" href={`mailto:${order.email}`}>
              {order.email}
            </a>
            <CopyButton text={order.email} label={t('orders.copy_email')} />
          </dd>
        </div>
        {customer !== null && (
          <div>
            <dt>{t('orders.language')}</dt>
            <dd>{languageName(customer.language)}</dd>
          </div>
        )}
        {address !== null && (
          <div>
            <dt>{t('orders.ships_to')}</dt>
            <dd>{[address.name, address.address1, address.address2].filter(Boolean).join(', ')}</dd>
            <dd>
              {[`${address.zip} ${address.city}`.trim(), countryName(address.country_code)].filter(Boolean).join(', ')}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

const OTHERS_MAX = 5

/** What else the customer has ordered lately. */
export function OtherOrders({ order }: { order: Order }) {
  const orders = useQuery({ ...ordersOfQuery(order.customer_token, {}), enabled: order.customer !== null })
  const others = orders.data?.rows.filter(({ id }) => id !== order.id).slice(0, OTHERS_MAX) ?? []
  if (others.length === 0) return null
  return (
    <Card title={t('orders.others')}>
      <ul className="rows">
        {others.map((other) => (
          <li key={other.id}>
            <Link className="strong figure" to="/orders/$id" params={{ id: String(other.id) }}>
              {other.name}
            </Link>
            <time className="muted small grow">{shortTime(other.created_at)}</time>
            <span className="figure">{money(other.total_price, other.currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Payment({ order }: { order: Order }) {
  const invoices = useQuery({ ...invoicesQuery(order.id), enabled: useMay('accounting') })
  const hasGoods = order.line_items.some((line) => line.requires_shipping) && order.cancelled_at === null
  return (
    <Card title={t('orders.columns.payment')}>
      <dl className="facts">
        <div>
          <dt>{t('orders.gateway')}</dt>
          <dd>{order.gateway === BY_HAND ? t('orders.by_hand') : order.gateway}</dd>
        </div>
        {invoices.data?.map((invoice) => (
          <div key={invoice.id}>
            <dt>{invoice.kind === 'invoice' ? t('orders.invoice') : t('orders.credit_note')}</dt>
            <dd className="with-end">
              <a href={`/admin/api/orders/${order.id}/invoices/${invoice.id}.pdf`}>{invoice.number}</a>
              <span className="muted figure">{money(invoice.total, invoice.currency)}</span>
            </dd>
          </div>
        ))}
        {hasGoods && (
          <div>
            <dt>{t('orders.papers')}</dt>
            <dd>
              <a href={`/admin/api/fulfillments/${order.id}/packing_slip.pdf`} target="_blank" rel="noreferrer">
                {t('orders.packing_slip')}
              </a>
            </dd>
          </div>
        )}
        {order.po_number !== '' && (
          <div>
            <dt>{t('orders.po_number')}</dt>
            <dd>{order.po_number}</dd>
          </div>
        )}
        {order.landing_site !== null && (
          <div>
            <dt>{t('orders.landing')}</dt>
            <dd>{order.landing_site}</dd>
          </div>
        )}
        {order.referring_site !== null && (
          <div>
            <dt>{t('orders.referrer')}</dt>
            <dd>{order.referring_site}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
