import { type ReactNode, useState } from 'react'
import { api } from '../api.ts'
import { beginningOf } from '../ui/charts/days.ts'
import { TextField } from '../ui/forms/fields.tsx'
import { dayAndTime, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ActionDialog, type ActionProps, Choices } from './action-dialog.tsx'
import { ChangePlan } from './change-plan.tsx'
import type { Subscription, When } from './queries.ts'
import { nextAmountOf } from './words.ts'

export type ActionName = 'resume' | 'change' | 'pause' | 'extend' | 'cancel'

/** Until when a cancelled subscription runs; undefined: nothing was paid for the time after now. */
function endOf({ status, period_end, committed_until }: Subscription): string | undefined {
  if (status === 'paused' || status === 'past_due' || status === 'incomplete') return undefined
  return committed_until !== null && committed_until > period_end ? committed_until : period_end
}

function Cancel(props: ActionProps) {
  const { subscription } = props.read
  const end = endOf(subscription)
  const isRequested = subscription.status === 'cancelled'
  const [at, setAt] = useState<When>(end === undefined || isRequested ? 'now' : 'period_end')
  return (
    <ActionDialog
      {...props}
      title={t('subscriptions.cancel.title')}
      text={t(end === undefined ? 'subscriptions.cancel.unpaid' : 'subscriptions.cancel.text')}
      action={t('subscriptions.cancel.action')}
      isDanger
      done={t('subscriptions.cancel.done')}
      run={(id, options) => api.subscriptions.cancel(id, { ...options, query: { at } })}
    >
      {end !== undefined && !isRequested && (
        <Choices
          label={t('subscriptions.when')}
          name="when"
          chosen={at}
          choose={setAt}
          options={[
            {
              value: 'period_end',
              title: dayAndTime(end),
              about: t(
                end === subscription.committed_until ? 'subscriptions.cancel.committed' : 'subscriptions.cancel.paid',
              ),
            },
            { value: 'now', title: t('subscriptions.now'), about: t('subscriptions.cancel.now') },
          ]}
        />
      )}
    </ActionDialog>
  )
}

function Resume(props: ActionProps) {
  const { subscription } = props.read
  const { status, currency, period_end } = subscription
  const text =
    status === 'paused'
      ? t('subscriptions.resume.paused', { amount: money(nextAmountOf(subscription), currency) })
      : t(status === 'cancelled' ? 'subscriptions.resume.cancelled' : 'subscriptions.resume.planned', {
          day: dayAndTime(period_end),
        })
  return (
    <ActionDialog
      {...props}
      title={t('subscriptions.resume.title')}
      text={text}
      action={t('subscriptions.actions.resume')}
      done={t('subscriptions.resume.done')}
      run={(id, options) => api.subscriptions.resume(id, options)}
    />
  )
}

type UntilProps = ActionProps & {
  kind: 'pause' | 'extend'
  run: (id: number, until: string, options: { ifMatch?: string }) => Promise<Subscription>
}

/** Something that lasts until a day, which counts as a whole. */
function Until({ kind, run, ...props }: UntilProps): ReactNode {
  const [day, setDay] = useState('')
  return (
    <ActionDialog
      {...props}
      title={t(`subscriptions.${kind}.title`)}
      text={t(`subscriptions.${kind}.text`, { day: dayAndTime(props.read.subscription.period_end) })}
      action={t(`subscriptions.actions.${kind}`)}
      isReady={day !== ''}
      done={t(`subscriptions.${kind}.done`)}
      run={(id, options) => run(id, beginningOf(day, 1), options)}
    >
      {(errorAt) => (
        <TextField
          type="date"
          label={t('subscriptions.last_day')}
          value={day}
          onValue={setDay}
          error={errorAt('until') ?? errorAt(`${kind}.until`)}
        />
      )}
    </ActionDialog>
  )
}

function Pause(props: ActionProps) {
  return <Until {...props} kind="pause" run={(id, until, options) => api.subscriptions.pause(id, { until }, options)} />
}

function Extend(props: ActionProps) {
  return (
    <Until {...props} kind="extend" run={(id, until, options) => api.subscriptions.extend(id, { until }, options)} />
  )
}

/** What can be done with a subscription, each with its dialog. */
export const ACTIONS: Record<ActionName, (props: ActionProps) => ReactNode> = {
  resume: Resume,
  change: ChangePlan,
  pause: Pause,
  extend: Extend,
  cancel: Cancel,
}
