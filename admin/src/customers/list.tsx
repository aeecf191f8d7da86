import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, ListFoot, SearchField, Table } from '../ui/list.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, countryName, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, customersCountQuery, customersQuery } from './queries.ts'
import { nameOf } from './words.ts'

const route = getRouteApi('/customers')

export function Customers() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const customers = useQuery(customersQuery(search))
  const total = useQuery(customersCountQuery(search)).data
  const { q = '' } = search
  const page = customers.data
  const find = useCallback((words: string) => void navigate({ search: words === '' ? {} : { q: words } }), [navigate])
  const [newest, oldest] = [page?.rows[0], page?.rows.at(-1)]
  const turnTo = (span: { before?: number; after?: number }) => () =>
    void navigate({ search: ({ q }) => ({ ...(q === undefined ? {} : { q }), ...span }) })
  return (
    <Page title={t('menu.customers')}>
      <Card label={t('customers.list')}>
        <SearchField label={t('customers.search')} words={q} onWords={find} />
        {customers.isError ? (
          <Problem error={customers.error} retry={() => void customers.refetch()} />
        ) : (
          <Table
            label={t('customers.list')}
            columns={columns()}
            rows={page?.rows}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="customers" text={q === '' ? t('customers.none') : t('customers.none_found')}>
                {q !== '' && <Button onClick={() => find('')}>{t('customers.show_all')}</Button>}
              </Empty>
            }
          />
        )}
        <ListFoot
          said={
            total === undefined
              ? ''
              : t('customers.in_all', { shown: count(page?.rows.length ?? 0), total: count(total), count: total })
          }
          newer={page?.hasNewer === true ? turnTo(newest === undefined ? {} : { after: newest.id }) : undefined}
          older={page?.hasOlder === true && oldest !== undefined ? turnTo({ before: oldest.id }) : undefined}
        />
      </Card>
    </Page>
  )
}

function columns(): Column<Customer>[] {
  return [
    {
      title: t('customers.columns.name'),
      place: 'first',
      cell: (customer) => (
        <Link className="strong" to="/customers/$token" params={{ token: customer.token }}>
          {nameOf(customer)}
        </Link>
      ),
    },
    {
      title: t('customers.columns.email'),
      place: 'second',
      cell: ({ email }) => <span className="muted">{email}</span>,
    },
    {
      title: t('customers.columns.country'),
      cell: ({ default_address }) => <span className="muted">{countryName(default_address?.country_code ?? '')}</span>,
    },
    {
      title: t('customers.columns.orders'),
      place: 'first-end',
      isNumber: true,
      cell: ({ orders_count }) => count(orders_count),
    },
    {
      title: t('customers.columns.since'),
      width: 'narrow',
      cell: ({ created_at }) => <time className="muted">{shortTime(created_at)}</time>,
    },
    {
      title: t('customers.columns.state'),
      place: 'second-end',
      width: 'narrow',
      cell: ({ state }) =>
        state === 'disabled' ? (
          <Chip tone="bad">{t('customers.states.disabled')}</Chip>
        ) : (
          <Chip tone="ok">{t('customers.states.enabled')}</Chip>
        ),
    },
  ]
}
