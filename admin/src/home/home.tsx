import './home.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ordersQuery } from '../orders/queries.ts'
import { PaymentChip } from '../orders/status.tsx'
import { boughtIn, buyerOf } from '../orders/words.ts'
import { Picture, usePictures } from '../products/pictures.tsx'
import { useMay, useSession } from '../session/session.ts'
import { Empty } from '../ui/list.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { count, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { attentionQuery, overviewQuery, type Period } from './queries.ts'

const LATEST = 6
const PERIODS: readonly Period[] = ['today', 'last_7_days', 'last_30_days']

/** What must I do, how is it going, what just happened? */
export function Home() {
  const { user } = useSession()
  const [period, setPeriod] = useState<Period>('today')
  const mayAccount = useMay('accounting')
  return (
    <Page
      title={t('menu.home')}
      about={user.first_name === '' ? undefined : t('home.hello', { name: user.first_name })}
      actions={
        mayAccount && (
          <Segments
            label={t('home.period')}
            values={PERIODS.map((value) => ({ value, title: t(`home.periods.${value}`) }))}
            chosen={period}
            choose={setPeriod}
          />
        )
      }
    >
      <div className="columns">
        <div className="stack">
          {mayAccount && <Figures period={period} />}
          <LatestOrders />
        </div>
        <Attention />
      </div>
    </Page>
  )
}

function Figures({ period }: { period: Period }) {
  const { company } = useSession()
  const overview = useQuery(overviewQuery(company.id))
  if (overview.isError) return <Problem error={overview.error} retry={() => void overview.refetch()} />
  const now = overview.data?.[period]
  const currency = (overview.data?.currency ?? 'eur').toUpperCase()
  const percent = (value: number | null | undefined) => (value == null ? '–' : `${count(value)} %`)
  const figures = [
    {
      name: t('home.revenue'),
      now: now?.order_amount,
      before: now?.before.order_amount,
      show: (value: number) => money(value, currency),
    },
    { name: t('menu.orders'), now: now?.order_count, before: now?.before.order_count, show: count },
    { name: t('home.visits'), now: now?.visits, before: now?.before.visits, show: count },
  ]
  return (
    <Card label={t('home.figures')}>
      <dl className="figures">
        {figures.map(({ name, now, before, show }) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd className="value">{now === undefined ? <span className="skeleton" /> : show(now)}</dd>
            <dd className="small muted">{before === undefined ? '' : t('home.before', { value: show(before) })}</dd>
          </div>
        ))}
        <div>
          <dt className="muted">{t('home.conversion')}</dt>
          <dd className="value">
            {now === undefined ? <span className="skeleton" /> : percent(now.conversion_percent)}
          </dd>
          <dd className="small muted">
            {now === undefined ? '' : t('home.before', { value: percent(now.before.conversion_percent) })}
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function LatestOrders() {
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
      {rows?.length === 0 ? (
        <Empty icon="orders" text={t('orders.none')} />
      ) : (
        <ul className="rows">
          {rows?.map((order) => (
            <li key={order.id}>
              <Picture src={pictures.get(order.line_items[0]?.product_id ?? '')} />
              <span className="grow cut">
                <Link className="strong" to="/orders/$id" params={{ id: String(order.id) }}>
                  {buyerOf(order)}
                </Link>
                <br />
                <span className="muted small">{boughtIn(order)}</span>
              </span>
              <time className="muted small">{shortTime(order.created_at)}</time>
              <PaymentChip order={order} />
              <span className="strong figure">{money(order.total_price, order.currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What needs the owner: orders to ship or to be paid, and receivers that refuse events. */
function Attention() {
  const attention = useQuery(attentionQuery)
  const { toShip = 0, unpaid = 0, unfinished = 0 } = attention.data ?? {}
  const nothing = toShip + unpaid + unfinished === 0
  return (
    <Card title={t('home.attention')}>
      {nothing ? (
        <p className="card-body muted">{attention.isPending ? '' : t('home.nothing_to_do')}</p>
      ) : (
        <ul className="rows">
          {toShip > 0 && (
            <li>
              <Link className="grow" to="/orders" search={{ view: 'to_ship' }}>
                {t('home.to_ship', { count: toShip })}
              </Link>
            </li>
          )}
          {unpaid > 0 && (
            <li>
              <Link className="grow" to="/orders" search={{ view: 'waiting' }}>
                {t('home.unpaid', { count: unpaid })}
              </Link>
            </li>
          )}
          {unfinished > 0 && (
            <li>
              <Link className="grow" to="/products" search={{ view: 'hidden' }}>
                {t('home.hidden', { count: unfinished })}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Card>
  )
}
