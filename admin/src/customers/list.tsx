import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { PeoplePage } from '../audience/parts.tsx'
import { useMay } from '../session/session.ts'
import { ButtonLink, DownloadLink } from '../ui/button.tsx'
import type { Column } from '../ui/lists/list.tsx'
import { ListCard } from '../ui/lists/list-card.tsx'
import { RowLink } from '../ui/lists/row-link.tsx'
import { withFilter, withSpan, withWords } from '../ui/lists/views.ts'
import { Chip } from '../ui/page.tsx'
import { count, countryName, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { CustomerFilters } from './filters.tsx'
import { type Customer, customersCountQuery, customersCsv, customersQuery } from './queries.ts'
import { nameOf } from './words.ts'

const route = getRouteApi('/customers')

export function Customers() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const customers = useQuery(customersQuery(search))
  const total = useQuery(customersCountQuery(search)).data
  const mayImport = useMay('request_products')
  const find = useCallback((words: string) => void navigate({ search: (now) => withWords(now, words) }), [navigate])
  return (
    <PeoplePage
      part="customers"
      actions={
        <>
          <DownloadLink href={customersCsv(search)}>{t('list.csv')}</DownloadLink>
          {mayImport && (
            <ButtonLink to="/imports" search={{ kind: 'customers' }}>
              {t('imports.title')}
            </ButtonLink>
          )}
        </>
      }
    >
      <ListCard
        of="customers"
        search={search}
        page={customers}
        total={total}
        columns={columns()}
        find={find}
        beside={
          <CustomerFilters
            search={search}
            change={(part) => void navigate({ search: (now) => withFilter(now, part) })}
          />
        }
        isFiltered={[search.state, search.from, search.to].some((filter) => filter !== undefined)}
        turnTo={(span) => void navigate({ search: (now) => withSpan(now, span) })}
        showAll={() => void navigate({ search: {} })}
      />
    </PeoplePage>
  )
}

function columns(): Column<Customer>[] {
  return [
    {
      title: t('customers.columns.name'),
      place: 'first',
      cell: (customer) => (
        <RowLink className="strong" to="/customers/$token" id={customer.token}>
          {nameOf(customer)}
        </RowLink>
      ),
    },
    {
      title: t('customers.columns.email'),
      place: 'second',
      look: 'muted',
      cell: ({ email }) => email,
    },
    {
      title: t('customers.columns.country'),
      look: 'muted',
      cell: ({ default_address }) => countryName(default_address?.country_code ?? ''),
    },
    {
      title: t('customers.columns.orders'),
      place: 'first-end',
      isNumber: true,
      isNamed: true,
      cell: ({ orders_count }) => count(orders_count),
    },
    {
      title: t('customers.columns.since'),
      width: 'narrow',
      look: 'muted figure',
      cell: ({ created_at }) => shortTime(created_at),
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
