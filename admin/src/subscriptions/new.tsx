import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { PersonField } from '../customers/picker.tsx'
import type { Customer } from '../customers/queries.ts'
import { groupsQuery } from '../groups/queries.ts'
import { allPlansQuery } from '../plans/queries.ts'
import { amountOf, costOf, termsOf } from '../plans/words.ts'
import { pricesQuery } from '../products/queries.ts'
import { useSession } from '../session/session.ts'
import { Confirm } from '../ui/confirm.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { Choices } from './action-dialog.tsx'
import { type SubscriptionInput, useSubscriptionChange } from './queries.ts'
import { planOf } from './words.ts'

const WAYS = ['bill', 'paid', 'test_card'] as const
type Way = (typeof WAYS)[number]

const TEST_CARD = '4242424242424242'
const KNOWN = ['plan_id', 'email', 'customer_token', 'test_card', 'trial_days']

type NewProps = { customer?: Customer; group?: string; close: () => void }

/** Signs a customer up to a plan by hand, and goes to the subscription. */
export function NewSubscription({ customer: known, group, close }: NewProps) {
  const groups = useQuery(groupsQuery).data
  const plans = (useQuery(allPlansQuery).data ?? []).filter(
    ({ valid, group_id }) => valid && (group === undefined || group_id === group),
  )
  const [person, setPerson] = useState<{ customer: Customer | undefined; email: string }>({
    customer: known,
    email: '',
  })
  const [chosen, choose] = useState('')
  const [way, setWay] = useState<Way>('bill')
  const [card, setCard] = useState(TEST_CARD)
  const [isTried, setTried] = useState(false)
  const create = useSubscriptionChange((input: SubscriptionInput) => api.subscriptions.create(input))
  const navigate = useNavigate()
  const errors = errorsOf(create.error)
  const errorAt = (path: string) => errors[path]?.[0] ?? errors[`subscription.${path}`]?.[0]
  const isElsewhere = create.isError && !KNOWN.some((path) => errorAt(path) !== undefined)
  const plan = plans.find(({ id }) => String(id) === chosen) ?? plans[0]
  const price = useQuery(pricesQuery).data?.get(plan?.price_id ?? 0)
  const { currency } = useSession()
  const cost =
    plan === undefined ? '' : [costOf(plan, amountOf(price, currency)), termsOf(plan)].filter(Boolean).join(', ')
  const { customer, email } = person
  const isSomebody = customer !== undefined || email !== ''
  const store = () => {
    setTried(true)
    if (!isSomebody || plan === undefined) return
    const who = customer === undefined ? { email } : { customer_token: customer.token }
    const paid = way === 'paid' ? { paid: true } : way === 'test_card' ? { test_card: card.replace(/\s/g, '') } : {}
    create.mutate(
      { plan_id: plan.id, ...who, ...paid },
      {
        onSuccess: ({ id }) => {
          toast(t('subscriptions.created'))
          void navigate({ to: '/memberships/subscriptions/$id', params: { id: String(id) } })
        },
      },
    )
  }
  return (
    <Confirm
      title={t('subscriptions.new')}
      text={t(plans.length === 0 ? 'subscriptions.no_plans' : 'subscriptions.new_text')}
      action={t('subscriptions.new_action')}
      problem={isElsewhere ? problemText(create.error) : undefined}
      isBusy={create.isPending || plan === undefined}
      confirm={store}
      close={close}
    >
      <PersonField
        person={person}
        set={setPerson}
        about={t('audience.no_customer')}
        error={
          errorAt('email') ??
          errorAt('customer_token') ??
          (isTried && !isSomebody ? t('audience.choose_person') : undefined)
        }
      />
      {plan !== undefined && (
        <SelectField
          label={t('subscriptions.columns.plan')}
          hint={cost}
          value={String(plan.id)}
          options={plans.map((each) => ({
            value: String(each.id),
            title: planOf({ plan_id: each.id, group_id: each.group_id }, plans, groups),
          }))}
          onValue={choose}
          error={errorAt('plan_id')}
        />
      )}
      <Choices
        label={t('subscriptions.way')}
        name="way"
        chosen={way}
        choose={setWay}
        options={WAYS.map((value) => ({
          value,
          title: t(`subscriptions.ways.${value}`),
          about: t(`subscriptions.ways_about.${value}`),
        }))}
      />
      {way === 'test_card' && (
        <TextField
          label={t('subscriptions.test_card')}
          value={card}
          onValue={setCard}
          inputMode="numeric"
          maxLength={30}
          error={errorAt('test_card')}
        />
      )}
    </Confirm>
  )
}
