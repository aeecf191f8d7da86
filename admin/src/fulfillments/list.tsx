import './fulfillments.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { useBulk, useTicked } from '../ui/lists/bulk.ts'
import { Failures } from '../ui/lists/bulk-bar.tsx'
import { Empty, ListFoot, Table, Views } from '../ui/lists/list.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { ParcelsBulkBar } from './bulk-bar.tsx'
import { columnsWith } from './columns.tsx'
import { type Fulfillment, fulfillmentsQuery } from './queries.ts'
import { VIEWS } from './search.ts'
import { Tracking } from './tracking.tsx'
import { orderName } from './words.ts'

const route = getRouteApi('/fulfillments')

/** What is to be packed, and what is on its way. */
export function Fulfillments() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const parcels = useQuery(fulfillmentsQuery(search))
  const { view = 'open' } = search
  const rows = parcels.data?.rows ?? []
  const bulk = useBulk<Fulfillment>('fulfillments', orderName)
  const ticked = useTicked(rows)
  const [shown, show] = useState<Fulfillment>()
  const views = VIEWS.map((each) => ({
    key: each,
    title: t(`fulfillments.views.${each}`),
    link: { to: '/fulfillments', search: each === 'open' ? {} : { view: each } } as const,
    isCurrent: view === each,
  }))
  const [first, last] = [rows[0], rows.at(-1)]
  const turn = (span: { before?: number; after?: number }) => () =>
    void navigate({ search: (now) => ({ ...(now.view === undefined ? {} : { view: now.view }), ...span }) })
  // Parcels to pack begin with the oldest, those that were shipped with the newest.
  const isOldestFirst = view === 'open'
  const hasPrevious = isOldestFirst ? parcels.data?.hasOlder : parcels.data?.hasNewer
  const hasNext = isOldestFirst ? parcels.data?.hasNewer : parcels.data?.hasOlder
  return (
    <Page
      title={t('menu.fulfillments')}
      about={t('fulfillments.about')}
      actions={
        <ButtonLink icon="file" to="/fulfillments/import">
          {t('fulfillments.import')}
        </ButtonLink>
      }
    >
      <Views views={views} />
      <Failures said={t('fulfillments.failed', { count: bulk.failures.length })} work={bulk} />
      <Card label={t('fulfillments.list')}>
        {parcels.isError ? (
          <Problem error={parcels.error} retry={() => void parcels.refetch()} />
        ) : (
          <Table
            label={t('fulfillments.list')}
            columns={columnsWith(ticked, show)}
            rows={parcels.data?.rows}
            keyOf={({ id }) => id}
            empty={<Empty icon="truck" text={t(`fulfillments.none.${view}`)} />}
          />
        )}
        {(hasPrevious === true || hasNext === true) && (
          <ListFoot
            said=""
            newer={{
              title: t('list.previous'),
              turn:
                hasPrevious === true && first !== undefined
                  ? turn(isOldestFirst ? { before: first.id } : { after: first.id })
                  : undefined,
            }}
            older={{
              title: t('list.next'),
              turn:
                hasNext === true && last !== undefined
                  ? turn(isOldestFirst ? { after: last.id } : { before: last.id })
                  : undefined,
            }}
          />
        )}
      </Card>
      <ParcelsBulkBar work={bulk} ticked={ticked} shown={rows.length} isOpen={view === 'open'} />
      {shown !== undefined && <Tracking id={shown.id} close={() => show(undefined)} />}
    </Page>
  )
}
