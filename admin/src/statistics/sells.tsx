import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Picture, usePictures } from '../products/pictures.tsx'
import { Table } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, money, percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Bar, Bars } from './bars.tsx'
import { type Days, sellsQuery, sourcesQuery, watchedQuery } from './queries.ts'

type Props = { companyId: number; days: Days }
type BarsCardProps<Row> = {
  title: string
  aside: string
  query: UseQueryResult<Row[]>
  none: string
  barOf: (row: Row, rows: readonly Row[]) => Bar
}

/** A card with bars, and what it says while there are none. */
export function BarsCard<Row>({ title, aside, query, none, barOf }: BarsCardProps<Row>) {
  const { data, isError, error, refetch } = query
  return (
    <Card title={title} end={<span className="muted small">{aside}</span>}>
      {isError ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <WaitingRows count={5} />
      ) : data.length === 0 ? (
        <p className="card-body muted">{none}</p>
      ) : (
        <Bars bars={data.map((row) => barOf(row, data))} />
      )}
    </Card>
  )
}

const productLink = (id: number, name: string): ReactNode => (
  <Link to="/products/$id" params={{ id: String(id) }}>
    {name}
  </Link>
)

/** The products with the highest revenue. */
export function Sells({ companyId, days }: Props) {
  const query = useQuery(sellsQuery(companyId, days))
  const pictures = usePictures(query.data?.map(({ product_id }) => product_id) ?? [])
  return (
    <BarsCard
      title={t('statistics.sells')}
      aside={t('statistics.sells_aside')}
      query={query}
      none={t('statistics.nothing_sold')}
      barOf={({ id, product_id, name, amount, count: sold, currency }, rows) => ({
        key: product_id,
        title: productLink(id, name),
        value: money(amount, currency.toUpperCase()),
        share: amount / Math.max(1, rows[0]?.amount ?? 1),
        about: t('statistics.sold', { count: sold }),
        picture: <Picture src={pictures.get(product_id)} />,
      })}
    />
  )
}

/** Of those who started something, how many came to its end. */
export function Watched({ companyId, days }: Props) {
  const query = useQuery(watchedQuery(companyId, days))
  const pictures = usePictures(query.data?.map(({ product_id }) => product_id) ?? [])
  return (
    <BarsCard
      title={t('statistics.watched')}
      aside={t('statistics.watched_aside')}
      query={query}
      none={t('statistics.nothing_watched')}
      barOf={({ id, product_id, name, started, finished }) => ({
        key: product_id,
        title: productLink(id, name),
        // Whoever began before these days can finish within them.
        value: percent(Math.min(1, finished / started)),
        share: finished / started,
        about: t('statistics.watched_of', { finished: count(finished), started: count(started) }),
        picture: <Picture src={pictures.get(product_id)} />,
      })}
    />
  )
}

const SOURCE_DAYS = 90

/** The sites whose links led to the shop, and what their visitors bought. */
export function Sources({ companyId, days }: Props) {
  const { data, isError, error, refetch } = useQuery(sourcesQuery(companyId, days))
  // The sources of earlier visits are gone, but not those of the orders: the share would be too high.
  const isLong = Date.parse(days.EndDate) - Date.parse(days.StartDate) > SOURCE_DAYS * 86_400_000
  return (
    <Card title={t('statistics.sources')}>
      {isError ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Table
          label={t('statistics.sources')}
          rows={data}
          keyOf={({ host }) => host}
          empty={<p className="card-body muted">{t('statistics.no_sources')}</p>}
          columns={[
            {
              title: t('statistics.source'),
              place: 'first',
              cell: ({ host }) => (host === '' ? t('statistics.unknown_source') : host),
            },
            {
              title: t('home.visits'),
              isNumber: true,
              place: 'second',
              cell: ({ visits }) => (
                <>
                  <span className="muted small on-phone">{t('home.visits')} </span>
                  {count(visits)}
                </>
              ),
            },
            {
              title: t('statistics.buy'),
              isNumber: true,
              place: 'second-end',
              cell: ({ visits, order_count }) =>
                visits === 0 || isLong ? '–' : percent(Math.min(1, order_count / visits), { maximumFractionDigits: 1 }),
            },
            {
              title: t('home.revenue'),
              isNumber: true,
              place: 'first-end',
              cell: ({ order_amount, currency }) => (
                <span className="strong">{money(order_amount, currency.toUpperCase())}</span>
              ),
            },
          ]}
        />
      )}
      <p className="card-body muted small">{t('statistics.sources_note')}</p>
    </Card>
  )
}
