import { useQuery } from '@tanstack/react-query'
import { discountQuery } from '../discounts/queries.ts'
import { ProductPicker } from '../products/picker.tsx'
import { productQuery } from '../products/queries.ts'
import { DayField, SelectField } from '../ui/forms/fields.tsx'
import { daysInWords, type FilterChip, Filters } from '../ui/lists/filters.tsx'
import { t } from '../words/words.ts'
import { DELIVERIES, type OrdersFilters, type OrdersSearch, PAYMENTS } from './search.ts'

type Change = { [Filter in keyof OrdersFilters]?: OrdersFilters[Filter] | undefined } & { view?: undefined }
type Props = { search: OrdersSearch; change: (part: Change) => void }

/** The filters of the list of orders. One that a view is made of replaces the view. */
export function OrderFilters({ search, change }: Props) {
  const { payment, delivery, from, to, product, discount } = search
  const found = useQuery({ ...productQuery(product ?? ''), enabled: product !== undefined }).data
  const code = useQuery({ ...discountQuery(discount ?? 0), enabled: discount !== undefined }).data
  const days = daysInWords(from, to)
  const chips: FilterChip[] = [
    {
      key: 'payment',
      title: t('orders.columns.payment'),
      value: payment === undefined ? '' : t(`orders.filters.payment.${payment}`),
      remove: () => change({ payment: undefined }),
    },
    {
      key: 'delivery',
      title: t('orders.columns.delivery'),
      value: delivery === undefined ? '' : t(`orders.filters.delivery.${delivery}`),
      remove: () => change({ delivery: undefined }),
    },
    {
      key: 'days',
      title: t('orders.filters.ordered'),
      value: days,
      remove: () => change({ from: undefined, to: undefined }),
    },
    {
      key: 'product',
      title: t('orders.filters.product'),
      value: found?.product.title ?? product ?? '',
      remove: () => change({ product: undefined }),
    },
    {
      key: 'discount',
      title: t('orders.filters.discount'),
      value: code?.discount.code ?? (discount === undefined ? '' : String(discount)),
      remove: () => change({ discount: undefined }),
    },
  ]
  return (
    <Filters chips={chips.filter(({ value }) => value !== '')}>
      <SelectField
        label={t('orders.columns.payment')}
        value={payment ?? 'any'}
        options={(['any', ...PAYMENTS] as const).map((value) => ({
          value,
          title: t(`orders.filters.payment.${value}`),
        }))}
        onValue={(value) => change({ payment: value === 'any' ? undefined : value, view: undefined })}
      />
      <SelectField
        label={t('orders.columns.delivery')}
        value={delivery ?? 'any'}
        options={(['any', ...DELIVERIES] as const).map((value) => ({
          value,
          title: t(`orders.filters.delivery.${value}`),
        }))}
        onValue={(value) => change({ delivery: value === 'any' ? undefined : value, view: undefined })}
      />
      <DayField label={t('list.first_day')} value={from ?? ''} onValue={(day) => change({ from: day || undefined })} />
      <DayField label={t('list.last_day')} value={to ?? ''} onValue={(day) => change({ to: day || undefined })} />
      <ProductPicker label={t('orders.filters.product')} choose={({ product_id }) => change({ product: product_id })} />
    </Filters>
  )
}
