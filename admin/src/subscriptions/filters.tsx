import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../groups/queries.ts'
import { allPlansQuery } from '../plans/queries.ts'
import { SelectField } from '../ui/forms/fields.tsx'
import { Filters } from '../ui/lists/filters.tsx'
import { t } from '../words/words.ts'
import { STATES, type State, type SubscriptionsFilters, type SubscriptionsSearch } from './search.ts'

type Change = { [Filter in keyof SubscriptionsFilters]?: SubscriptionsFilters[Filter] | undefined }
type Props = { search: SubscriptionsSearch; change: (part: Change) => void }

const ANY = '' as const

/** The filters of the list: how they stand, of which group, and with which plan. */
export function SubscriptionFilterMenu({ search: { state, group, plan }, change }: Props) {
  const groups = (useQuery(groupsQuery).data ?? []).filter(({ kind }) => kind === 'subscription')
  const plans = useQuery(allPlansQuery).data ?? []
  const any = { value: ANY, title: t('audience.states.any') } as const
  const offered = plans.filter(({ group_id }) => group === undefined || group_id === group)
  const chips = [
    {
      key: 'state',
      title: t('subscriptions.columns.state'),
      value: state === undefined ? '' : t(`subscriptions.states.${state}`),
      remove: () => change({ state: undefined }),
    },
    {
      key: 'group',
      title: t('subscriptions.group'),
      value: group === undefined ? '' : (groups.find(({ id }) => id === group)?.title ?? group),
      remove: () => change({ group: undefined, plan: undefined }),
    },
    {
      key: 'plan',
      title: t('subscriptions.columns.plan'),
      value: plan === undefined ? '' : (plans.find(({ id }) => id === plan)?.title ?? String(plan)),
      remove: () => change({ plan: undefined }),
    },
  ]
  return (
    <Filters chips={chips.filter(({ value }) => value !== '')}>
      <SelectField<State | ''>
        label={t('subscriptions.columns.state')}
        value={state ?? ANY}
        options={[any, ...STATES.map((value) => ({ value, title: t(`subscriptions.states.${value}`) }))] as const}
        onValue={(value) => change({ state: value === ANY ? undefined : value })}
      />
      <SelectField
        label={t('subscriptions.group')}
        value={group ?? ANY}
        options={[any, ...groups.map(({ id, title }) => ({ value: id, title }))]}
        onValue={(value) => change({ group: value || undefined, plan: undefined })}
      />
      <SelectField
        label={t('subscriptions.columns.plan')}
        value={String(plan ?? ANY)}
        options={[any, ...offered.map(({ id, title }) => ({ value: String(id), title }))]}
        onValue={(value) => change({ plan: value === ANY ? undefined : Number(value) })}
      />
    </Filters>
  )
}
