import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { Picture, usePictures } from '../products/pictures.tsx'
import { useMay } from '../session/session.ts'
import { ButtonLink, DownloadLink } from '../ui/button.tsx'
import { type Ticked, useBulk, useTicked } from '../ui/lists/bulk.ts'
import { Failures, TickAll } from '../ui/lists/bulk-bar.tsx'
import { type Column, Views } from '../ui/lists/list.tsx'
import { ListCard } from '../ui/lists/list-card.tsx'
import { RowLink } from '../ui/lists/row-link.tsx'
import { withFilter, withSpan, withWords } from '../ui/lists/views.ts'
import { Page } from '../ui/page.tsx'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { OrdersBulkBar } from './bulk-bar.tsx'
import { OrderFilters } from './filters.tsx'
import { type Order, ordersCountQuery, ordersCsv, ordersQuery } from './queries.ts'
import { VIEWS, type ViewName } from './search.ts'
import { DeliveryChip, PaymentChip } from './status.tsx'
import { boughtIn, buyerOf } from './words.ts'

const route = getRouteApi('/orders')

const NO_ORDERS: readonly Order[] = []
const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

export function Orders() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const orders = useQuery(ordersQuery(search))
  const total = useQuery(ordersCountQuery(search)).data
  const { view = 'all', payment, delivery, from, to, product, discount } = search
  const mayAccount = useMay('accounting')
  const bulk = useBulk<Order>('orders', ({ name }) => name)
  const ticked = useTicked(orders.data?.rows ?? NO_ORDERS)
  const pictures = usePictures(
    orders.data?.rows.flatMap(({ line_items }) => line_items.slice(0, 1).map(({ product_id }) => product_id)) ?? [],
  )
  const columns = useMemo(() => columnsWith(pictures, ticked), [pictures, ticked])
  const find = useCallback((words: string) => void navigate({ search: (now) => withWords(now, words) }), [navigate])
  const views = VIEW_NAMES.map((name) => ({
    key: name,
    title: t(`orders.views.${name}`),
    link: { to: '/orders', search: name === 'all' ? {} : { view: name } } as const,
    isCurrent: view === name,
  }))

  return (
    <Page
      title={t('menu.orders')}
      actions={
        <>
          <DownloadLink href={ordersCsv(search)}>{t('list.csv')}</DownloadLink>
          {mayAccount && (
            <ButtonLink look="primary" icon="plus" to="/orders/new" search={{}}>
              {t('orders.new')}
            </ButtonLink>
          )}
        </>
      }
    >
      <Views views={views} />
      <Failures said={t('orders.bulk.failed', { count: bulk.failures.length })} work={bulk} />
      <ListCard
        of="orders"
        search={search}
        page={orders}
        total={total}
        columns={columns}
        find={find}
        beside={
          <OrderFilters search={search} change={(part) => void navigate({ search: (now) => withFilter(now, part) })} />
        }
        isFiltered={[payment, delivery, from, to, product, discount].some((filter) => filter !== undefined)}
        turnTo={(span) => void navigate({ search: (now) => withSpan(now, span) })}
        showAll={() => void navigate({ search: {} })}
      />
      <OrdersBulkBar work={bulk} ticked={ticked} shown={orders.data?.rows.length ?? 0} />
    </Page>
  )
}

function columnsWith(pictures: ReadonlyMap<string, string>, ticked: Ticked<Order>): Column<Order>[] {
  return [
    {
      title: t('orders.bulk.label'),
      heading: <TickAll ticked={ticked} label={t('orders.bulk.choose_all')} />,
      place: 'tick',
      cell: ({ id, name }) => (
        <input
          type="checkbox"
          className="tick-box"
          aria-label={t('orders.bulk.choose', { order: name })}
          checked={ticked.isTicked(id)}
          onChange={() => ticked.tick(id)}
        />
      ),
    },
    {
      title: t('orders.columns.order'),
      width: 'narrow',
      cell: ({ id, name }) => (
        <RowLink className="strong figure" to="/orders/$id" id={id}>
          {name}
        </RowLink>
      ),
    },
    {
      title: t('orders.columns.time'),
      width: 'narrow',
      look: 'muted figure',
      cell: ({ created_at }) => shortTime(created_at),
    },
    {
      title: t('orders.columns.customer'),
      place: 'first',
      cell: (order) => (
        <RowLink className="strong cut buyer" to="/orders/$id" id={order.id}>
          {buyerOf(order)}
        </RowLink>
      ),
    },
    {
      title: t('orders.columns.bought'),
      place: 'second',
      width: 'wide',
      cell: (order) => (
        <span className="with-picture">
          <Picture src={pictures.get(order.line_items[0]?.product_id ?? '')} />
          <span className="muted cut">{boughtIn(order)}</span>
        </span>
      ),
    },
    {
      title: t('orders.columns.payment'),
      place: 'second-end',
      width: 'narrow',
      cell: (order) => <PaymentChip order={order} />,
    },
    { title: t('orders.columns.delivery'), width: 'narrow', cell: (order) => <DeliveryChip order={order} /> },
    {
      title: t('orders.columns.total'),
      place: 'first-end',
      isNumber: true,
      look: 'strong',
      cell: ({ total_price, currency }) => money(total_price, currency),
    },
  ]
}
