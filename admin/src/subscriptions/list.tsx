import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { MembershipsPage } from '../groups/parts.tsx'
import { type Group, groupsQuery } from '../groups/queries.ts'
import { allPlansQuery, type Plan } from '../plans/queries.ts'
import { useMay } from '../session/session.ts'
import { Button, DownloadLink } from '../ui/button.tsx'
import type { Column } from '../ui/lists/list.tsx'
import { ListCard } from '../ui/lists/list-card.tsx'
import { RowLink } from '../ui/lists/row-link.tsx'
import { withFilter, withSpan, withWords } from '../ui/lists/views.ts'
import { Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { SubscriptionFilterMenu } from './filters.tsx'
import { NewSubscription } from './new.tsx'
import { type Subscription, subscriptionsCountQuery, subscriptionsCsv, subscriptionsQuery } from './queries.ts'
import { nextOf, ownerOf, planOf, stateOf } from './words.ts'

const route = getRouteApi('/memberships/subscriptions')

/** Who has signed up to which plan, and what happens next. */
export function Subscriptions() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const page = useQuery(subscriptionsQuery(search))
  const total = useQuery(subscriptionsCountQuery(search)).data
  const plans = useQuery(allPlansQuery).data
  const groups = useQuery(groupsQuery).data
  const mayChange = useMay('accounting')
  const [isNew, setNew] = useState(false)
  const columns = useMemo(() => columnsWith(plans, groups), [plans, groups])
  const find = useCallback((words: string) => void navigate({ search: (now) => withWords(now, words) }), [navigate])
  const add = mayChange && (
    <Button look="primary" icon="plus" onClick={() => setNew(true)}>
      {t('subscriptions.new')}
    </Button>
  )
  return (
    <MembershipsPage
      part="subscriptions"
      about={t('subscriptions.about')}
      actions={
        <>
          <DownloadLink href={subscriptionsCsv(search)}>{t('list.csv')}</DownloadLink>
          {add}
        </>
      }
    >
      <ListCard
        of="subscriptions"
        search={search}
        page={page}
        total={total}
        columns={columns}
        find={find}
        beside={
          <SubscriptionFilterMenu
            search={search}
            change={(part) => void navigate({ search: (now) => withFilter(now, part) })}
          />
        }
        isFiltered={[search.state, search.group, search.plan].some((filter) => filter !== undefined)}
        turnTo={(span) => void navigate({ search: (now) => withSpan(now, span) })}
        showAll={() => void navigate({ search: {} })}
      />
      {isNew && <NewSubscription close={() => setNew(false)} />}
    </MembershipsPage>
  )
}

function columnsWith(plans: readonly Plan[] | undefined, groups: readonly Group[] | undefined): Column<Subscription>[] {
  return [
    {
      title: t('subscriptions.columns.customer'),
      place: 'first',
      width: 'wide',
      cell: (subscription) => (
        <RowLink className="strong cut block" to="/memberships/subscriptions/$id" id={subscription.id}>
          {ownerOf(subscription)}
        </RowLink>
      ),
    },
    {
      title: t('subscriptions.columns.plan'),
      place: 'second',
      cell: (subscription) => <span className="cut block">{planOf(subscription, plans, groups)}</span>,
    },
    {
      title: t('subscriptions.columns.next'),
      place: 'second-end',
      cell: (subscription) => <span className="muted figure">{nextOf(subscription)}</span>,
    },
    {
      title: t('subscriptions.columns.state'),
      place: 'first-end',
      width: 'narrow',
      cell: (subscription) => {
        const { tone, text } = stateOf(subscription)
        return (
          <>
            {subscription.test && <Chip tone="test">{t('orders.payment.test')}</Chip>} <Chip tone={tone}>{text}</Chip>
          </>
        )
      },
    },
  ]
}
