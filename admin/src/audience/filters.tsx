import { useQuery } from '@tanstack/react-query'
import { shopsQuery } from '../shop/queries.ts'
import { DayField, SelectField, TextField } from '../ui/forms/fields.tsx'
import { daysInWords, Filters } from '../ui/lists/filters.tsx'
import { t } from '../words/words.ts'
import { type AudienceFilters, type AudienceSearch, type Part, STATES, type State } from './search.ts'

type Change = { [Filter in keyof AudienceFilters]?: AudienceFilters[Filter] | undefined }
type Props = { part: Part; search: AudienceSearch; change: (part: Change) => void }

/** The filters of a list of people. */
export function AudienceFilterMenu({ part, search, change }: Props) {
  const { state, shop, group, from, to } = search
  const shops = useQuery(shopsQuery).data ?? []
  const isNewsletter = part === 'newsletter'
  const chips = [
    {
      key: 'state',
      title: t('audience.columns.state'),
      value: state === undefined ? '' : t(`audience.states.${state}`),
      remove: () => change({ state: undefined }),
    },
    {
      key: 'shop',
      title: t('audience.columns.shop'),
      value: shop === undefined ? '' : (shops.find(({ id }) => id === shop)?.name ?? String(shop)),
      remove: () => change({ shop: undefined }),
    },
    {
      key: 'group',
      title: t('audience.columns.group'),
      value: group ?? '',
      remove: () => change({ group: undefined }),
    },
    {
      key: 'days',
      title: t('audience.columns.until'),
      value: daysInWords(from, to),
      remove: () => change({ from: undefined, to: undefined }),
    },
  ]
  return (
    <Filters chips={chips.filter(({ value }) => value !== '')}>
      <SelectField<State | 'any'>
        label={t('audience.columns.state')}
        value={state ?? 'any'}
        options={(['any', ...STATES[part]] as const).map((value) => ({ value, title: t(`audience.states.${value}`) }))}
        onValue={(value) => change({ state: value === 'any' ? undefined : value })}
      />
      {isNewsletter && shops.length > 1 && (
        <SelectField
          label={t('audience.columns.shop')}
          value={String(shop ?? '')}
          options={[
            { value: '', title: t('audience.states.any') },
            ...shops.map(({ id, name }) => ({ value: String(id), title: name })),
          ]}
          onValue={(value) => change({ shop: value === '' ? undefined : Number(value) })}
        />
      )}
      {!isNewsletter && (
        <>
          <TextField
            label={t('audience.columns.group')}
            value={group ?? ''}
            onValue={(value) => change({ group: value.trim() || undefined })}
            maxLength={20}
          />
          <DayField
            label={t('audience.ends_from')}
            value={from ?? ''}
            onValue={(day) => change({ from: day || undefined })}
          />
          <DayField
            label={t('audience.ends_to')}
            value={to ?? ''}
            onValue={(day) => change({ to: day || undefined })}
          />
        </>
      )}
    </Filters>
  )
}
