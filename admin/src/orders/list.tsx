import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Picture, usePictures } from '../products/pictures.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, ListFoot, SearchField, Table, Views } from '../ui/list.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Order, ordersCountQuery, ordersQuery } from './queries.ts'
import { VIEWS, type ViewName } from './search.ts'
import { DeliveryChip, PaymentChip } from './status.tsx'
import { boughtIn, buyerOf } from './words.ts'

const route = getRouteApi('/orders')

const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

export function Orders() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const orders = useQuery(ordersQuery(search))
  const total = useQuery(ordersCountQuery(search)).data
  const { view = 'all', q = '' } = search
  const page = orders.data
  const pictures = usePictures(
    page?.rows.flatMap(({ line_items }) => line_items.slice(0, 1).map(({ product_id }) => product_id)) ?? [],
  )
  const find = useCallback(
    (words: string) =>
      void navigate({
        search: ({ view }) => ({ ...(view === undefined ? {} : { view }), ...(words === '' ? {} : { q: words }) }),
      }),
    [navigate],
  )
  const views = VIEW_NAMES.map((name) => ({
    key: name,
    title: t(`orders.views.${name}`),
    link: { to: '/orders', search: name === 'all' ? {} : { view: name } } as const,
    isCurrent: view === name,
  }))
  const [newest, oldest] = [page?.rows[0], page?.rows.at(-1)]
  const turnTo = (span: { before?: number; after?: number }) => () =>
    void navigate({
      search: ({ view, q }) => ({
        ...(view === undefined ? {} : { view }),
        ...(q === undefined ? {} : { q }),
        ...span,
      }),
    })

  return (
    <Page title={t('menu.orders')}>
      <Views views={views} />
      <Card label={t('orders.list')}>
        <SearchField label={t('orders.search')} words={q} onWords={find} />
        {orders.isError ? (
          <Problem error={orders.error} retry={() => void orders.refetch()} />
        ) : (
          <Table
            label={t('orders.list')}
            columns={columnsWith(pictures)}
            rows={page?.rows}
            keyOf={({ id }) => id}
            empty={<NoOrders isSearched={q !== '' || view !== 'all'} clear={() => void navigate({ search: {} })} />}
          />
        )}
        <ListFoot
          said={
            total === undefined
              ? ''
              : t('orders.in_all', { shown: count(page?.rows.length ?? 0), total: count(total), count: total })
          }
          newer={page?.hasNewer === true ? turnTo(newest === undefined ? {} : { after: newest.id }) : undefined}
          older={page?.hasOlder === true && oldest !== undefined ? turnTo({ before: oldest.id }) : undefined}
        />
      </Card>
    </Page>
  )
}

function columnsWith(pictures: ReadonlyMap<string, string>): Column<Order>[] {
  return [
    {
      title: t('orders.columns.order'),
      width: 'narrow',
      cell: ({ id, name }) => (
        <Link className="strong figure" to="/orders/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      ),
    },
    {
      title: t('orders.columns.time'),
      width: 'narrow',
      cell: ({ created_at }) => <time className="muted">{shortTime(created_at)}</time>,
    },
    {
      title: t('orders.columns.customer'),
      place: 'first',
      cell: (order) => (
        <Link className="strong" to="/orders/$id" params={{ id: String(order.id) }}>
          {buyerOf(order)}
        </Link>
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
      cell: ({ total_price, currency }) => <span className="strong">{money(total_price, currency)}</span>,
    },
  ]
}

function NoOrders({ isSearched, clear }: { isSearched: boolean; clear: () => void }) {
  if (isSearched)
    return (
      <Empty icon="orders" text={t('orders.none_found')}>
        <Button onClick={clear}>{t('orders.show_all')}</Button>
      </Empty>
    )
  return <Empty icon="orders" text={t('orders.none')} />
}
