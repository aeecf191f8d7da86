import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Customer } from '../customers/queries.ts'
import { groupsQuery } from '../groups/queries.ts'
import { allPlansQuery } from '../plans/queries.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { NewSubscription } from './new.tsx'
import { type Subscription, subscriptionsOfQuery } from './queries.ts'
import type { SubscriptionsSearch } from './search.ts'
import { nextOf, ownerOf, planOf, stateOf } from './words.ts'

const SHOWN = 5

/** The subscriptions of a customer, and the way to sign the customer up to another plan. */
export function SubscriptionsOfCustomer({ customer }: { customer: Customer }) {
  const { token, email } = customer
  const rows = useQuery(subscriptionsOfQuery({ customer_token: token })).data ?? []
  if (rows.length === 0) return null
  return (
    <Some
      rows={rows}
      all={{ q: email }}
      isOfCustomer
      add={(close) => <NewSubscription customer={customer} close={close} />}
    />
  )
}

/** The newest subscriptions to a group. */
export function SubscriptionsOfGroup({ group }: { group: string }) {
  const rows = useQuery(subscriptionsOfQuery({ group_id: group })).data
  const add = (close: () => void) => <NewSubscription group={group} close={close} />
  return <Some rows={rows ?? []} all={{ group }} add={add} none={rows === undefined ? '' : t('subscriptions.none')} />
}

type SomeProps = {
  rows: readonly Subscription[]
  /** The list with all of them. */
  all: SubscriptionsSearch
  isOfCustomer?: boolean
  none?: string
  add: (close: () => void) => ReactNode
}

function Some({ rows, all, isOfCustomer = false, none = '', add }: SomeProps) {
  const mayChange = useMay('accounting')
  const [isNew, setNew] = useState(false)
  const plans = useQuery(allPlansQuery).data
  const groups = useQuery(groupsQuery).data
  return (
    <Card
      title={t('subscriptions.parts.subscriptions')}
      end={mayChange && <Button onClick={() => setNew(true)}>{t('subscriptions.new')}</Button>}
    >
      {rows.length === 0 && <p className="card-body muted">{none}</p>}
      <ul className="rows tall">
        {rows.slice(0, SHOWN).map((row) => {
          const { tone, text } = stateOf(row)
          return (
            <li key={row.id}>
              <span className="grow">
                <Link className="strong" to="/memberships/subscriptions/$id" params={{ id: String(row.id) }}>
                  {isOfCustomer ? planOf(row, plans, groups) : ownerOf(row)}
                </Link>
                <span className="block muted small">{nextOf(row)}</span>
              </span>
              <Chip tone={tone}>{text}</Chip>
            </li>
          )
        })}
        {rows.length > SHOWN && (
          <li>
            <Link to="/memberships/subscriptions" search={all}>
              {t('subscriptions.show_all')}
            </Link>
          </li>
        )}
      </ul>
      {isNew && add(() => setNew(false))}
    </Card>
  )
}

/** The subscription of which an order is a period. */
export function SubscriptionOfOrder({ orderId }: { orderId: number }) {
  const [found] = useQuery(subscriptionsOfQuery({ order_id: orderId })).data ?? []
  const plans = useQuery({ ...allPlansQuery, enabled: found !== undefined }).data
  const groups = useQuery({ ...groupsQuery, enabled: found !== undefined }).data
  if (found === undefined) return null
  const { tone, text } = stateOf(found)
  return (
    <Card title={t('subscriptions.one')}>
      <ul className="rows">
        <li>
          <Link className="strong grow" to="/memberships/subscriptions/$id" params={{ id: String(found.id) }}>
            {planOf(found, plans, groups)}
          </Link>
          <Chip tone={tone}>{text}</Chip>
        </li>
      </ul>
    </Card>
  )
}
