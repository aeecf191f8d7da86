import { useQuery } from '@tanstack/react-query'
import { useMay } from '../session/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { count, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Bars } from './bars.tsx'
import { daysOf, refundsQuery, type StatisticsPeriod } from './queries.ts'
import { BarsCard } from './sells.tsx'

/** How many of those who put something into a cart went without buying, and what that would have been worth. */
export function Carts({ period }: { period: StatisticsPeriod }) {
  const mayChangeShop = useMay('request_products')
  const { cart_count, left_cart_count, left_cart_amount, shop_order_count, currency } = period
  // An order may be that of a cart that was begun before.
  const most = Math.max(1, cart_count, left_cart_count, shop_order_count)
  const step = (key: 'carts_begun' | 'carts_left' | 'carts_bought', value: number) => ({
    key,
    title: t(`statistics.${key}`),
    value: count(value),
    share: value / most,
  })
  return (
    <Card title={t('statistics.carts')}>
      {cart_count + left_cart_count === 0 ? (
        <p className="card-body muted">{t('statistics.no_carts')}</p>
      ) : (
        <>
          <Bars
            bars={[
              step('carts_begun', cart_count),
              step('carts_left', left_cart_count),
              step('carts_bought', shop_order_count),
            ]}
          />
          {left_cart_amount > 0 && (
            <div className="card-foot">
              <span className="grow">
                {t('statistics.carts_worth', { amount: money(left_cart_amount, currency.toUpperCase()) })}
              </span>
              {mayChangeShop && (
                <ButtonLink to="/shop" search={{ part: 'visitors' }}>
                  {t('statistics.remind')}
                </ButtonLink>
              )}
            </div>
          )}
        </>
      )}
    </Card>
  )
}

/** Why money was paid back, in the words of those who paid it back. */
export function Refunds({ companyId, period }: { companyId: number; period: StatisticsPeriod }) {
  const query = useQuery(refundsQuery(companyId, daysOf(period)))
  return (
    <BarsCard
      title={t('statistics.refunds')}
      aside={t('statistics.refunds_count', { count: period.refund_count })}
      query={query}
      none={t('statistics.no_refunds')}
      barOf={({ reason, refund_count, refund_amount, currency }, rows) => ({
        key: reason,
        title: reason === '' ? t('statistics.no_reason') : reason,
        value: money(refund_amount, currency.toUpperCase()),
        share: refund_amount / Math.max(1, rows[0]?.refund_amount ?? 1),
        about: t('statistics.refunds_count', { count: refund_count }),
      })}
    />
  )
}
