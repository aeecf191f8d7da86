import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CustomerLink } from '../audience/customer-link.tsx'
import type { Group } from '../groups/queries.ts'
import { BY_HAND } from '../orders/status.tsx'
import type { Plan } from '../plans/queries.ts'
import { Card } from '../ui/page.tsx'
import { dayAndTime, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Subscription } from './queries.ts'
import { agreedOf, nextOf, spanOf } from './words.ts'

type FactsProps = {
  subscription: Subscription
  plans: readonly Plan[] | undefined
  groups: readonly Group[] | undefined
}

/** Whose it is, what was agreed, and what comes next. */
export function Facts({ subscription, plans, groups }: FactsProps) {
  const { customer_token, email, group_id, plan_id, next_plan_id, gateway, currency } = subscription
  const { credit, next_amount, next_amount_from, period_start, period_end, committed_until, renewals_left } =
    subscription
  const plan = plans?.find(({ id }) => id === plan_id)
  const nextPlan = plans?.find(({ id }) => id === next_plan_id)
  return (
    <Card title={t('subscriptions.facts')}>
      <dl className="facts">
        <Fact name={t('subscriptions.columns.customer')}>
          <span className="cut">{email}</span>{' '}
          <CustomerLink of={{ customer_token: email === null ? null : customer_token, email: email ?? '' }} />
        </Fact>
        <Fact name={t('subscriptions.group')}>
          <Link to="/memberships/$id" params={{ id: group_id }}>
            {groups?.find(({ id }) => id === group_id)?.title ?? group_id}
          </Link>
        </Fact>
        <Fact name={t('subscriptions.columns.plan')}>
          {[plan?.title, agreedOf(subscription, plan)].filter(Boolean).join(', ')}
        </Fact>
        {nextPlan !== undefined && <Fact name={t('subscriptions.next_plan')}>{nextPlan.title}</Fact>}
        {next_amount !== null && next_amount_from !== null && (
          <Fact name={t('subscriptions.next_amount')}>
            {t('subscriptions.from_day', { amount: money(next_amount, currency), day: shortTime(next_amount_from) })}
          </Fact>
        )}
        {credit > 0 && <Fact name={t('subscriptions.credit')}>{money(credit, currency)}</Fact>}
        <Fact name={t('subscriptions.current')}>{spanOf({ starts_at: period_start, ends_at: period_end })}</Fact>
        <Fact name={t('subscriptions.columns.next')}>{nextOf(subscription)}</Fact>
        {committed_until !== null && <Fact name={t('subscriptions.committed')}>{dayAndTime(committed_until)}</Fact>}
        {renewals_left !== null && <Fact name={t('subscriptions.renewals_left')}>{renewals_left}</Fact>}
        <Fact name={t('orders.gateway')}>{gateway === BY_HAND ? t('subscriptions.by_bill') : gateway}</Fact>
        <Fact name={t('subscriptions.since')}>{dayAndTime(subscription.created_at)}</Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
