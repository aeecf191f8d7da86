import { DayField, SelectField } from '../ui/forms/fields.tsx'
import { daysInWords, Filters } from '../ui/lists/filters.tsx'
import { t } from '../words/words.ts'
import { type CustomersFilters, type CustomersSearch, STATES } from './search.ts'

type Change = { [Filter in keyof CustomersFilters]?: CustomersFilters[Filter] | undefined }
type Props = { search: CustomersSearch; change: (part: Change) => void }

/** The filters of the list of customers. */
export function CustomerFilters({ search, change }: Props) {
  const { state, from, to } = search
  const chips = [
    {
      key: 'state',
      title: t('customers.columns.state'),
      value: state === undefined ? '' : t(`customers.states.${state}`),
      remove: () => change({ state: undefined }),
    },
    {
      key: 'days',
      title: t('customers.since'),
      value: daysInWords(from, to),
      remove: () => change({ from: undefined, to: undefined }),
    },
  ]
  return (
    <Filters chips={chips.filter(({ value }) => value !== '')}>
      <SelectField
        label={t('customers.columns.state')}
        value={state ?? 'any'}
        options={(['any', ...STATES] as const).map((value) => ({ value, title: t(`customers.states.${value}`) }))}
        onValue={(value) => change({ state: value === 'any' ? undefined : value })}
      />
      <DayField label={t('list.first_day')} value={from ?? ''} onValue={(day) => change({ from: day || undefined })} />
      <DayField label={t('list.last_day')} value={to ?? ''} onValue={(day) => change({ to: day || undefined })} />
    </Filters>
  )
}
