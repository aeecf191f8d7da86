import { Chart } from '../ui/charts/chart.tsx'
import { Figure, ShareFigure } from '../ui/charts/figure.tsx'
import { Card } from '../ui/page.tsx'
import { count, money, roundMoney } from '../words/format.ts'
import { t } from '../words/words.ts'
import { pointsOf } from './points.ts'
import type { StatisticsPeriod } from './queries.ts'

type Numbers = Pick<StatisticsPeriod, 'order_amount' | 'order_count'>

const averageOf = ({ order_amount, order_count }: Numbers) =>
  order_count === 0 ? 0 : Math.round(order_amount / order_count)

/** The figures of the period against those before, and its days in a chart. */
export function Overview({ period }: { period: StatisticsPeriod | undefined }) {
  const before = period?.before
  const currency = (period?.currency ?? 'eur').toUpperCase()
  const inMoney = (value: number) => money(value, currency)
  return (
    <Card label={t('statistics.figures')}>
      <dl className="figures five">
        <Figure name={t('home.revenue')} now={period?.order_amount} before={before?.order_amount} show={inMoney} />
        <Figure name={t('menu.orders')} now={period?.order_count} before={before?.order_count} show={count} />
        <Figure
          name={t('statistics.average')}
          now={period && averageOf(period)}
          before={before && averageOf(before)}
          show={inMoney}
        />
        <ShareFigure name={t('home.conversion')} now={period?.conversion_percent} before={before?.conversion_percent} />
        <Figure
          name={t('statistics.refunded')}
          now={period?.refund_amount}
          before={before?.refund_amount}
          show={inMoney}
          isBad
        />
      </dl>
      <div className="chart-space">
        {period === undefined ? <span className="skeleton" /> : <Days period={period} currency={currency} />}
      </div>
    </Card>
  )
}

function Days({ period, currency }: { period: StatisticsPeriod; currency: string }) {
  const measured = ({ records }: Pick<StatisticsPeriod, 'records'>) =>
    records.map(({ date, order_amount, order_count }) => ({ date, line: order_amount, bar: order_count }))
  const now = measured(period)
  const points = pointsOf(now, measured(period.before), period.group, {
    line: (value) => money(value, currency),
    bar: (value) => t('statistics.orders_count', { count: value }),
  })
  return (
    <>
      <Legend title={t('statistics.chart')} />
      <Chart
        label={t('statistics.chart_label')}
        points={points}
        showLine={(value) => roundMoney(value, currency)}
        showBar={count}
        latest={money(now.at(-1)?.line ?? 0, currency)}
      />
    </>
  )
}

export function Legend({ title }: { title: string }) {
  return (
    <div className="legend">
      <h2>{title}</h2>
      <span className="legend-now">{t('statistics.now')}</span>
      <span className="legend-before">{t('statistics.before')}</span>
    </div>
  )
}
