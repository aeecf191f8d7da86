import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Chart, type Point } from '../ui/charts/chart.tsx'
import { Figure, ShareFigure } from '../ui/charts/figure.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, dayText, money, roundMoney } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Overview, overviewQuery, type Period } from './queries.ts'

/** How many days the chart shows, against as many before. */
const CHART_DAYS: Record<Period, number> = { today: 7, last_7_days: 7, last_30_days: 30 }

/** What a period is compared with: today with the same weekday a week ago, more days with as many before. */
export function comparedWith(overview: Overview, period: Period) {
  return period === 'today' ? overview.same_day_last_week : overview[period].before
}

/** How it is going: the figures of a period against those before, and the days in a chart. */
export function Figures({ period }: { period: Period }) {
  const { company } = useSession()
  const overview = useQuery(overviewQuery(company.id))
  if (overview.isError) return <Problem error={overview.error} retry={() => void overview.refetch()} />
  const { data } = overview
  const now = data?.[period]
  const before = data === undefined ? undefined : comparedWith(data, period)
  const currency = (data?.currency ?? 'eur').toUpperCase()
  const inMoney = (value: number) => money(value, currency)
  return (
    <Card label={t('home.figures')}>
      <dl className="figures">
        <Figure name={t('home.revenue')} now={now?.order_amount} before={before?.order_amount} show={inMoney} />
        <Figure name={t('menu.orders')} now={now?.order_count} before={before?.order_count} show={count} />
        <Figure name={t('home.visits')} now={now?.visits} before={before?.visits} show={count} />
        <ShareFigure name={t('home.conversion')} now={now?.conversion_percent} before={before?.conversion_percent} />
      </dl>
      {data === undefined ? (
        <div className="chart-space">
          <span className="skeleton" />
        </div>
      ) : (
        <Days overview={data} period={period} currency={currency} />
      )}
    </Card>
  )
}

function Days({ overview, period, currency }: { overview: Overview; period: Period; currency: string }) {
  const { days } = overview
  const hasSold = days.some(({ order_count }) => order_count > 0)
  if (!hasSold && days.every(({ visits }) => visits === 0))
    return (
      <Empty icon="orders" text={t('home.no_sales')}>
        <p className="muted">{t('home.no_sales_text')}</p>
        <ButtonLink to="/products">{t('home.to_products')}</ButtonLink>
      </Empty>
    )
  const length = CHART_DAYS[period]
  const shown = days.slice(-length)
  const earlier = days.slice(-2 * length, -length)
  const points = shown.map((day, place): Point => {
    const before = earlier[place]
    const isNamed = length <= 7 || (shown.length - 1 - place) % 7 === 0
    return {
      tick: isNamed ? dayText(day.date, length <= 7 ? { weekday: 'short' } : { day: 'numeric', month: 'short' }) : '',
      said: t('home.day', {
        day: dayText(day.date, { weekday: 'long', day: 'numeric', month: 'long' }),
        amount: money(day.order_amount, currency),
        orders: day.order_count,
        visits: count(day.visits),
        before: money(before?.order_amount ?? 0, currency),
      }),
      line: day.order_amount,
      lineBefore: before?.order_amount ?? 0,
      bar: day.visits,
      barBefore: before?.visits ?? 0,
    }
  })
  return (
    <div className="chart-space">
      <div className="legend">
        <h2>{t('home.chart')}</h2>
        {!hasSold && <span className="muted">{t('home.no_sales')}</span>}
        <span className="legend-now">{t('home.chart_now', { count: length })}</span>
        <span className="legend-before">{t('home.chart_before', { count: length })}</span>
      </div>
      <Chart
        label={t('home.chart_label', { count: length })}
        points={points}
        showLine={(value) => roundMoney(value, currency)}
        showBar={count}
        latest={money(shown.at(-1)?.order_amount ?? 0, currency)}
      />
    </div>
  )
}
