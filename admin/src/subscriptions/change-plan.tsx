import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { plansQuery } from '../plans/queries.ts'
import { amountOf, costOf } from '../plans/words.ts'
import { pricesQuery } from '../products/queries.ts'
import { SelectField } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { dayAndTime, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ActionDialog, type ActionProps, Choices } from './action-dialog.tsx'
import { planChangeQuery, type Subscription, type When } from './queries.ts'
import { spanOf } from './words.ts'

/** Changes to another plan of the group. What it costs is shown before. */
export function ChangePlan(props: ActionProps) {
  const { subscription } = props.read
  const { id, group_id, plan_id, currency, status, period_end } = subscription
  const plans = useQuery(plansQuery(group_id)).data ?? []
  const prices = useQuery(pricesQuery).data
  const others = plans.filter((plan) => plan.valid && plan.id !== plan_id)
  const [chosen, choose] = useState('')
  const [at, setAt] = useState<When>('period_end')
  const planId = Number(chosen || (others[0]?.id ?? 0))
  return (
    <ActionDialog
      {...props}
      title={t('subscriptions.change.title')}
      text={t(others.length === 0 ? 'subscriptions.change.none' : 'subscriptions.change.text')}
      action={t('subscriptions.actions.change')}
      isReady={planId > 0}
      done={t('subscriptions.change.done')}
      run={(_id, options) => api.subscriptions.changePlan(id, { plan_id: planId, at }, options)}
    >
      {(errorAt) =>
        others.length > 0 && (
          <>
            <SelectField
              label={t('subscriptions.columns.plan')}
              value={String(planId)}
              options={others.map((plan) => ({
                value: String(plan.id),
                title: `${plan.title}, ${costOf(plan, amountOf(prices?.get(plan.price_id), currency))}`,
              }))}
              onValue={choose}
              error={errorAt('plan_id') ?? errorAt('plan_change.plan_id')}
            />
            {status === 'active' && (
              <Choices
                label={t('subscriptions.when')}
                name="when"
                chosen={at}
                choose={setAt}
                options={[
                  { value: 'period_end', title: dayAndTime(period_end), about: t('subscriptions.change.later') },
                  { value: 'now', title: t('subscriptions.now'), about: t('subscriptions.change.now') },
                ]}
              />
            )}
            <Cost subscription={subscription} planId={planId} at={at} />
          </>
        )
      }
    </ActionDialog>
  )
}

/** What the first period of the other plan costs, and how that comes about. */
function Cost({ subscription, planId, at }: { subscription: Subscription; planId: number; at: When }) {
  const asked = useQuery(planChangeQuery(subscription.id, planId, at))
  if (asked.isError)
    return (
      <p className="notice bad" role="alert">
        {problemText(asked.error)}
      </p>
    )
  if (asked.data === undefined) return <span className="skeleton" />
  const { amount, credit, total, currency } = asked.data
  return (
    <dl className="sums" aria-live="polite">
      <dt>{t('subscriptions.change.price')}</dt>
      <dd>{money(amount, currency)}</dd>
      {credit > 0 && (
        <>
          <dt>{t('subscriptions.change.credit')}</dt>
          <dd>−{money(credit, currency)}</dd>
        </>
      )}
      <dt className="total">{t('subscriptions.change.total', { days: spanOf(asked.data) })}</dt>
      <dd className="total">{money(total, currency)}</dd>
    </dl>
  )
}
