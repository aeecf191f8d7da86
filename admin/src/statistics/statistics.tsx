import './statistics.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'
import { DayField } from '../ui/forms/fields.tsx'
import { Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { dayText } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Carts, Refunds } from './losses.tsx'
import { Overview } from './overview.tsx'
import { daysOf, periodQuery, type StatisticsPeriod } from './queries.ts'
import { Report } from './report.tsx'
import { RANGES, type Range, type StatisticsSearch } from './search.ts'
import { Sells, Sources, Watched } from './sells.tsx'

/** How the shop is doing: figures against those before, what sells and what does not, and every number in tables. */
export function Statistics() {
  const { company } = useSession()
  const search = useSearch({ from: '/statistics' })
  const period = useQuery(periodQuery(company.id, search))
  const { data } = period
  return (
    <Page
      title={t('menu.statistics')}
      about={data === undefined ? <span className="skeleton" /> : aboutOf(data)}
      actions={<RangeFields search={search} period={data} />}
    >
      {period.isError && <Problem error={period.error} retry={() => void period.refetch()} />}
      <Overview period={data} />
      {data !== undefined && (
        <>
          <div className="halves">
            <div className="stack">
              <Sells companyId={company.id} days={daysOf(data)} />
              <Sources companyId={company.id} days={daysOf(data)} />
            </div>
            <div className="stack">
              <Watched companyId={company.id} days={daysOf(data)} />
              <Carts period={data} />
              <Refunds companyId={company.id} period={data} />
            </div>
          </div>
          <Report companyId={company.id} period={data} report={search.report ?? 'order'} />
        </>
      )}
    </Page>
  )
}

function aboutOf({ start_date, end_date, before }: StatisticsPeriod): string {
  const isOtherYear =
    start_date.slice(0, 4) !== end_date.slice(0, 4) || before.start_date.slice(0, 4) !== end_date.slice(0, 4)
  const day = (date: string) =>
    dayText(date, { day: 'numeric', month: 'long', ...(isOtherYear ? { year: 'numeric' } : {}) })
  return t('statistics.about', {
    from: day(start_date),
    to: day(end_date),
    before_from: day(before.start_date),
    before_to: day(before.end_date),
  })
}

type RangeFieldsProps = { search: StatisticsSearch; period: StatisticsPeriod | undefined }

/** Which days are shown: one of a few ranges, or two days. */
function RangeFields({ search, period }: RangeFieldsProps) {
  const navigate = useNavigate({ from: '/statistics' })
  const { range, from, to, ...rest } = search
  const isOwn = from !== undefined && to !== undefined
  const go = (days: Pick<StatisticsSearch, 'range' | 'from' | 'to'>) =>
    void navigate({ search: { ...rest, ...days }, resetScroll: false })
  const choose = (value: Range | 'own') => {
    if (value !== 'own') return go(value === '30_days' ? {} : { range: value })
    if (period !== undefined) {
      const { StartDate, EndDate } = daysOf(period)
      go({ from: StartDate, to: EndDate })
    }
  }
  return (
    <>
      <Segments
        label={t('statistics.range')}
        values={([...RANGES, 'own'] as const).map((value) => ({ value, title: t(`statistics.ranges.${value}`) }))}
        chosen={isOwn ? 'own' : (range ?? '30_days')}
        choose={choose}
      />
      {isOwn && (
        <div className="own-days">
          <DayField
            label={t('statistics.from')}
            value={from}
            onValue={(day) => day !== '' && go({ from: day, to: day > to ? day : to })}
          />
          <DayField
            label={t('statistics.to')}
            value={to}
            onValue={(day) => day !== '' && go({ from: day < from ? day : from, to: day })}
          />
        </div>
      )}
    </>
  )
}
