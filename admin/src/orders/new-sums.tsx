import type { Schemas } from '@licet/client'
import { Card } from '../ui/page.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'

type SumsProps = { calculation: Schemas['OrderCalculation'] | undefined; isWaiting: boolean }

/** What the order costs, as the service works it out. */
export function Sums({ calculation, isWaiting }: SumsProps) {
  if (calculation === undefined) return null
  const { currency, line_items, total_discounts, shipping_price, total_tax, total_price } = calculation
  return (
    <Card title={t('new_order.sums')}>
      <dl className="sums" aria-busy={isWaiting}>
        {line_items.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a product can be in several lines
          <div key={place} className="contents">
            <dt>{t('orders.times', { title: line.title, quantity: line.quantity })}</dt>
            <dd>{money(line.total, currency)}</dd>
          </div>
        ))}
        {total_discounts > 0 && (
          <>
            <dt className="muted">{t('new_order.discounts')}</dt>
            <dd className="muted">−{money(total_discounts, currency)}</dd>
          </>
        )}
        {shipping_price > 0 && (
          <>
            <dt>{t('new_order.shipping')}</dt>
            <dd>{money(shipping_price, currency)}</dd>
          </>
        )}
        <dt className="muted">{t('orders.tax')}</dt>
        <dd className="muted">{money(total_tax, currency)}</dd>
        <dt className="total">{t('orders.columns.total')}</dt>
        <dd className="total">{money(total_price, currency)}</dd>
      </dl>
    </Card>
  )
}
