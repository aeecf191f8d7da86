import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { dayAndTime, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Entry, type Subscription, timelineOfQuery } from './queries.ts'
import { nextAmountOf, reasonOf } from './words.ts'

const TONES: Partial<Record<Entry['kind'], 'ok' | 'bad'>> = {
  started: 'ok',
  renewed: 'ok',
  charge_failed: 'bad',
  ended: 'bad',
}

const REASONS = ['cancelled', 'unpaid', 'completed', 'abandoned', 'order_cancelled', 'replaced'] as const

/** What happened, in a sentence. */
function sentenceOf({ kind, details }: Entry, { currency }: Subscription): string {
  const { plan = '', at, reason, because, cents, from } = details
  switch (kind) {
    case 'signed_up':
      return t('subscriptions.did.signed_up', { plan: String(plan) })
    case 'plan_changed':
      return t(at === 'now' ? 'subscriptions.did.plan_changed_now' : 'subscriptions.did.plan_changed', {
        plan: String(plan),
      })
    case 'charge_failed':
      return t('subscriptions.did.charge_failed', { reason: reasonOf(reason) })
    case 'price_announced':
      return t('subscriptions.did.price_announced', {
        amount: money(Number(cents), currency),
        day: typeof from === 'string' ? shortTime(from) : '',
      })
    case 'ended': {
      const known = REASONS.find((each) => each === because)
      return known === undefined ? t('subscriptions.states.ended') : t(`subscriptions.ended_because.${known}`)
    }
    default:
      return t(`subscriptions.did.${kind}`)
  }
}

/** What happened to a subscription, newest first. */
export function SubscriptionTimeline({ subscription }: { subscription: Subscription }) {
  const [span, setSpan] = useState<Span>({})
  const timeline = useQuery(timelineOfQuery(subscription.id, span))
  return (
    <Card title={t('timeline.title')}>
      {timeline.isError && <Problem error={timeline.error} retry={() => void timeline.refetch()} />}
      {timeline.isPending && <WaitingRows count={2} />}
      <ol className="timeline">
        {timeline.data?.rows.map((entry) => (
          <Moment key={entry.id} entry={entry} subscription={subscription} />
        ))}
      </ol>
      <PageFoot page={timeline.data} turnTo={setSpan} />
    </Card>
  )
}

function Moment({ entry, subscription }: { entry: Entry; subscription: Subscription }) {
  const { kind, created_at, details } = entry
  const order = typeof details.order_id === 'number' ? String(details.order_id) : undefined
  return (
    <li className={TONES[kind]}>
      <span className="grow">
        {sentenceOf(entry, subscription)}
        {order !== undefined && (
          <>
            {' '}
            <Link to="/orders/$id" params={{ id: order }}>
              #{order}
            </Link>
          </>
        )}
      </span>
      <time dateTime={`${created_at}Z`} title={dayAndTime(created_at)}>
        {shortTime(created_at)}
      </time>
    </li>
  )
}

/** Why the open period could not be charged, and when it is tried again. */
export function PastDue({ subscription }: { subscription: Subscription }) {
  const { id, failures, next_action_at, currency } = subscription
  const failed = useQuery(timelineOfQuery(id, {})).data?.rows.find(({ kind }) => kind === 'charge_failed')
  const values = {
    amount: money(nextAmountOf(subscription), currency),
    reason: reasonOf(failed?.details.reason),
    count: failures,
  }
  return (
    <p className="notice bad">
      {t('subscriptions.past_due', values)}{' '}
      {next_action_at !== null && t('subscriptions.next_try', { time: dayAndTime(next_action_at) })}
    </p>
  )
}
