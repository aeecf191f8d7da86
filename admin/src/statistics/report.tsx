import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Chart } from '../ui/charts/chart.tsx'
import { Icon } from '../ui/icons.tsx'
import { type Column, Table } from '../ui/lists/list.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { count, countryName, money, percent, roundMoney } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Bars } from './bars.tsx'
import { DEVICES, KINDS, type NumberName, SHARES } from './kinds.ts'
import { Legend } from './overview.tsx'
import { type Group, pointsOf, whenOf } from './points.ts'
import { csvAddress, daysOf, type ReportRows, type Row, reportQuery, type StatisticsPeriod } from './queries.ts'
import { REPORTS, type ReportName } from './search.ts'

type ReportProps = { companyId: number; period: StatisticsPeriod; report: ReportName }

/** All numbers of one kind: a chart against the time before, the table, and the file. */
export function Report({ companyId, period, report }: ReportProps) {
  const navigate = useNavigate({ from: '/statistics' })
  const asked = { ...daysOf(period), group: period.group }
  const now = useQuery(reportQuery(companyId, report, asked))
  const isDated = KINDS[report].first === 'day'
  const before = useQuery({
    ...reportQuery(companyId, report, { ...daysOf(period.before), group: period.group }),
    enabled: isDated && report !== 'order',
  })
  const currency = period.currency.toUpperCase()
  return (
    <Card
      title={t(`statistics.reports.${report}`)}
      end={
        <div className="report-head">
          <Segments
            label={t('statistics.report')}
            values={REPORTS.map((value) => ({ value, title: t(`statistics.reports.${value}`) }))}
            chosen={report}
            choose={(value) =>
              void navigate({
                search: ({ report: _report, ...rest }) => (value === 'order' ? rest : { ...rest, report: value }),
                resetScroll: false,
              })
            }
          />
          <a className="button" href={csvAddress(companyId, report, asked)} download>
            <Icon name="download" />
            {t('statistics.csv')}
          </a>
        </div>
      }
    >
      {now.isError ? (
        <Problem error={now.error} retry={() => void now.refetch()} />
      ) : (
        <>
          {/* The chart of orders is at the top of the page. */}
          {report !== 'order' && now.data !== undefined && now.data.rows.length > 0 && (
            <Drawing report={report} now={now.data} before={before.data} group={period.group} currency={currency} />
          )}
          <Rows key={report} report={report} rows={now.data?.rows} group={period.group} currency={currency} />
        </>
      )}
    </Card>
  )
}

type DrawingProps = {
  report: ReportName
  now: ReportRows
  before: ReportRows | undefined
  group: Group
  currency: string
}

const BARS = 8

function Drawing({ report, now, before, group, currency }: DrawingProps) {
  const { line, bar, money: inMoney } = KINDS[report]
  const show = (name: NumberName) => (value: number) => (inMoney.has(name) ? money(value, currency) : count(value))
  if (report === 'order_devices') {
    const all = DEVICES.reduce((sum, device) => sum + (now.totals[device] ?? 0), 0)
    const used = DEVICES.filter((device) => (now.totals[device] ?? 0) > 0)
    if (used.length === 0) return null
    const bars = used.map((device) => {
      const value = now.totals[device] ?? 0
      return { key: device, title: t(`statistics.columns.${device}`), value: count(value), share: value / all }
    })
    return <Bars bars={bars.toSorted((one, other) => other.share - one.share)} />
  }
  if (KINDS[report].first !== 'day') {
    const most = Math.max(1, ...now.rows.map(({ numbers }) => numbers[line] ?? 0))
    const bars = now.rows.slice(0, BARS).map(({ key, numbers }, place) => ({
      key: `${key} ${place}`,
      title: nameOf(report, key),
      value: show(line)(numbers[line] ?? 0),
      share: (numbers[line] ?? 0) / most,
    }))
    return <Bars bars={bars} />
  }
  const measured = (rows: readonly Row[]) =>
    rows.map(({ key, numbers }) => ({ date: key, line: numbers[line] ?? 0, bar: numbers[bar] ?? 0 }))
  const named = (name: NumberName) => (value: number) => `${t(columnName(report, name))} ${show(name)(value)}`
  const points = pointsOf(measured(now.rows), measured(before?.rows ?? []), group, {
    line: named(line),
    bar: named(bar),
  })
  const title = `${t(columnName(report, line))}, ${t(columnName(report, bar))}`
  return (
    <div className="chart-space">
      <Legend title={title} />
      <Chart
        label={title}
        points={points}
        showLine={inMoney.has(line) ? (value) => roundMoney(value, currency) : count}
        showBar={count}
        latest={show(line)(now.rows.at(-1)?.numbers[line] ?? 0)}
      />
    </div>
  )
}

/** A number of a cart has the name that it has in an order, and another one on the screen. */
function columnName(
  report: ReportName,
  name: NumberName,
): `statistics.columns.${NumberName | 'cart_count' | 'cart_amount'}` {
  if (report === 'cart' && name === 'order_count') return 'statistics.columns.cart_count'
  if (report === 'cart' && name === 'order_amount') return 'statistics.columns.cart_amount'
  return `statistics.columns.${name}`
}

function nameOf(report: ReportName, key: string): string {
  if (report !== 'countries') return key
  return key === '' ? t('statistics.unknown_country') : countryName(key)
}

/** Nothing is no part of nothing. */
function numberText(name: NumberName, value: number | undefined): string {
  if (!SHARES.has(name)) return count(value ?? 0)
  return value === undefined ? '–' : percent(value / 100, { maximumFractionDigits: 1 })
}

const SHOWN = 14

type RowsProps = { report: ReportName; rows: readonly Row[] | undefined; group: Group; currency: string }

function Rows({ report, rows, group, currency }: RowsProps) {
  const [isWhole, setWhole] = useState(false)
  const { first, columns, money: inMoney } = KINDS[report]
  // The latest day is on top, as in every list.
  const ordered = first === 'day' ? rows?.toReversed() : rows
  const shown = isWhole ? ordered : ordered?.slice(0, SHOWN)
  const places = ['first-end', 'second', 'second-end'] as const
  const all: Column<Row>[] = [
    {
      title: t(`statistics.columns.${first === 'day' && group === 'month' ? 'month' : first}`),
      place: 'first',
      width: 'wide',
      cell: ({ key }) => (first === 'day' ? whenOf(key, group) : nameOf(report, key)),
    },
    ...columns.map((name, place): Column<Row> => {
      const onPhone = places[place]
      return {
        title: t(columnName(report, name)),
        isNumber: true,
        ...(onPhone === undefined ? {} : { place: onPhone }),
        cell: ({ numbers }) => (
          <>
            {place > 0 && <span className="muted small on-phone">{t(columnName(report, name))} </span>}
            {inMoney.has(name) ? money(numbers[name] ?? 0, currency) : numberText(name, numbers[name])}
          </>
        ),
      }
    }),
  ]
  return (
    <>
      <Table
        label={t(`statistics.reports.${report}`)}
        columns={all}
        rows={shown}
        keyOf={({ key }) => key}
        empty={<p className="card-body muted">{t('statistics.nothing')}</p>}
      />
      {ordered !== undefined && ordered.length > SHOWN && !isWhole && (
        <div className="list-foot">
          <span className="muted figure grow">
            {t('statistics.rows', { shown: SHOWN, count: count(ordered.length) })}
          </span>
          <Button onClick={() => setWhole(true)}>{t('statistics.show_all', { count: count(ordered.length) })}</Button>
        </div>
      )}
    </>
  )
}
