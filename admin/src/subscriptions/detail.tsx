import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { groupsQuery } from '../groups/queries.ts'
import { allPlansQuery, type Plan } from '../plans/queries.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Chip, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { ACTIONS, type ActionName } from './actions.tsx'
import { Facts } from './facts.tsx'
import { Periods } from './periods.tsx'
import { type Read, type Subscription, subscriptionQuery } from './queries.ts'
import { PastDue, SubscriptionTimeline } from './timeline.tsx'
import { agreedOf, ownerOf, planOf, stateOf } from './words.ts'

const route = getRouteApi('/memberships/subscriptions/$id')
const TRAIL = () => ({ to: '/memberships/subscriptions', title: t('subscriptions.parts.subscriptions') })

/** A subscription: how it stands, what was paid, what happened, and what can be done. */
export function SubscriptionDetail() {
  const { id } = route.useParams()
  const read = useQuery(subscriptionQuery(id))
  if (read.data !== undefined) return <SubscriptionPage key={id} read={read.data} reload={() => void read.refetch()} />
  return (
    <Page title={t('subscriptions.one')} trail={TRAIL()}>
      {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={4} />}
    </Page>
  )
}

function SubscriptionPage({ read, reload }: { read: Read; reload: () => void }) {
  const { subscription } = read
  const plans = useQuery(allPlansQuery).data
  const groups = useQuery(groupsQuery).data
  const plan = plans?.find(({ id }) => id === subscription.plan_id)
  const { tone, text } = stateOf(subscription)
  return (
    <Page
      title={ownerOf(subscription)}
      trail={TRAIL()}
      chips={
        <>
          {subscription.test && <Chip tone="test">{t('orders.payment.test')}</Chip>}
          <Chip tone={tone}>{text}</Chip>
        </>
      }
      about={[planOf(subscription, plans, groups), agreedOf(subscription, plan)].join(', ')}
      actions={<Actions read={read} plan={plan} reload={reload} />}
    >
      {subscription.status === 'past_due' && <PastDue subscription={subscription} />}
      {subscription.status === 'incomplete' && <p className="notice wait">{t('subscriptions.unfinished')}</p>}
      <div className="columns">
        <div className="stack">
          <Periods subscription={subscription} />
          <SubscriptionTimeline subscription={subscription} />
        </div>
        <Facts subscription={subscription} plans={plans} groups={groups} />
      </div>
    </Page>
  )
}

/** What can be done with it as it is now. The service decides; what it would refuse is not offered. */
function offered(subscription: Subscription, plan: Plan | undefined): ActionName[] {
  const { status, paused_until } = subscription
  const isRunning = status === 'active' || status === 'trialing'
  const may: Record<ActionName, boolean> = {
    resume: status === 'cancelled' || status === 'paused' || paused_until !== null,
    change: isRunning,
    pause: status === 'active' && paused_until === null && plan?.pausable === true,
    extend: isRunning || status === 'cancelled',
    cancel: status !== 'ended',
  }
  return (Object.keys(may) as ActionName[]).filter((name) => may[name])
}

function Actions({ read, plan, reload }: { read: Read; plan: Plan | undefined; reload: () => void }) {
  const mayChange = useMay('accounting')
  const [asked, ask] = useState<ActionName>()
  if (!mayChange) return null
  const Dialog = asked === undefined ? undefined : ACTIONS[asked]
  return (
    <>
      {offered(read.subscription, plan).map((name) => (
        <Button
          key={name}
          {...(name === 'cancel' ? { look: 'danger' } : name === 'resume' ? { look: 'primary' } : {})}
          onClick={() => ask(name)}
        >
          {t(`subscriptions.actions.${name}`)}
        </Button>
      ))}
      {Dialog !== undefined && (
        <Dialog
          read={read}
          reload={() => {
            reload()
            ask(undefined)
          }}
          close={() => ask(undefined)}
        />
      )}
    </>
  )
}
