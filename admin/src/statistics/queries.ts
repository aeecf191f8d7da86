import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { ReportName, StatisticsSearch } from './search.ts'

export type StatisticsPeriod = Schemas['StatisticsPeriod']

/** The days of a report, as the service understands them: those of the shop. */
export type Days = { StartDate: string; EndDate: string }

export function daysOf({ start_date, end_date }: Pick<StatisticsPeriod, 'start_date' | 'end_date'>): Days {
  return { StartDate: start_date.slice(0, 10), EndDate: end_date.slice(0, 10) }
}

const kept = { placeholderData: keepPreviousData }

/** The figures of the days in the address. The service knows which day it is where the shop is. */
export function periodQuery(companyId: number, { range, from, to }: StatisticsSearch) {
  const asked =
    from === undefined || to === undefined ? { range: range ?? ('30_days' as const) } : { StartDate: from, EndDate: to }
  return queryOptions({
    queryKey: ['statistics', 'period', companyId, asked],
    queryFn: ({ signal }) => api.statistics.period.get(companyId, asked, { signal }),
    ...kept,
  })
}

/** How many of each the cards show. */
const SHOWN = 5

export function sellsQuery(companyId: number, days: Days) {
  return queryOptions({
    queryKey: ['statistics', 'sells', companyId, days],
    queryFn: async ({ signal }) =>
      (await api.statistics.orderProducts.get(companyId, { ...days, limit: SHOWN }, { signal }))
        .order_product_statistics,
    ...kept,
  })
}

export function watchedQuery(companyId: number, days: Days) {
  return queryOptions({
    queryKey: ['statistics', 'watched', companyId, days],
    queryFn: async ({ signal }) =>
      (
        await api.statistics.usageProducts.get(companyId, { ...days, limit: SHOWN }, { signal })
      ).usage_product_statistics.filter(({ started }) => started > 0),
    ...kept,
  })
}

export function sourcesQuery(companyId: number, days: Days) {
  return queryOptions({
    queryKey: ['statistics', 'sources', companyId, days],
    queryFn: async ({ signal }) =>
      (await api.statistics.sources.get(companyId, { ...days, limit: SHOWN }, { signal })).source_statistics,
    ...kept,
  })
}

export function refundsQuery(companyId: number, days: Days) {
  return queryOptions({
    queryKey: ['statistics', 'refunds', companyId, days],
    queryFn: async ({ signal }) =>
      (await api.statistics.refunds.get(companyId, { ...days, limit: SHOWN }, { signal })).refund_statistics,
    ...kept,
  })
}

/** A record as a row: of a day, a product or a country, with its numbers by name. */
export type Row = { key: string; numbers: Readonly<Record<string, number>> }
export type ReportRows = { rows: Row[]; totals: Readonly<Record<string, number>> }

type Asked = Days & { group: 'day' | 'week' | 'month' }

const numbersIn = (record: object): Record<string, number> =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))

const rowsOf = <Each extends object>(records: readonly Each[], keyOf: (record: Each) => string, totals: object) => ({
  rows: records.map((record) => ({ key: keyOf(record), numbers: numbersIn(record) })),
  totals: numbersIn(totals),
})

const LISTED = 1000

async function readReport(
  companyId: number,
  report: ReportName,
  asked: Asked,
  signal: AbortSignal,
): Promise<ReportRows> {
  const { statistics } = api
  const dated = ({ date }: { date: string }) => date
  const ranked = { StartDate: asked.StartDate, EndDate: asked.EndDate, limit: LISTED }
  if (report === 'order') {
    const { order_statistics, totals } = await statistics.order.get(companyId, asked, { signal })
    return rowsOf(order_statistics, dated, totals)
  }
  if (report === 'traffic') {
    const { traffic_statistics, totals } = await statistics.traffic.get(companyId, asked, { signal })
    return rowsOf(traffic_statistics, dated, totals)
  }
  if (report === 'cart') {
    const { cart_statistics, totals } = await statistics.cart.get(companyId, asked, { signal })
    return rowsOf(cart_statistics, dated, totals)
  }
  if (report === 'subscriptions') {
    const { subscription_statistics, totals } = await statistics.subscriptions.get(companyId, asked, { signal })
    return rowsOf(subscription_statistics, dated, totals)
  }
  if (report === 'order_devices') {
    const { order_device_statistics, totals } = await statistics.orderDevices.get(companyId, asked, { signal })
    return rowsOf(order_device_statistics, dated, totals)
  }
  if (report === 'order_products') {
    const { order_product_statistics, totals } = await statistics.orderProducts.get(companyId, ranked, { signal })
    return rowsOf(order_product_statistics, ({ name }) => name, totals)
  }
  if (report === 'usage_products') {
    const { usage_product_statistics, totals } = await statistics.usageProducts.get(companyId, ranked, { signal })
    return rowsOf(usage_product_statistics, ({ name }) => name, totals)
  }
  const { country_statistics, totals } = await statistics.countries.get(companyId, ranked, { signal })
  return rowsOf(country_statistics, ({ country_code }) => country_code, totals)
}

export function reportQuery(companyId: number, report: ReportName, asked: Asked) {
  return queryOptions({
    queryKey: ['statistics', 'report', companyId, report, asked],
    queryFn: ({ signal }) => readReport(companyId, report, asked, signal),
  })
}

/** The file of a report. Its address names the company, so that it is that of this tab. */
export function csvAddress(companyId: number, report: ReportName, { StartDate, EndDate, group }: Asked): string {
  const query = new URLSearchParams({ StartDate, EndDate, format: 'csv' })
  if (['order', 'traffic', 'cart', 'subscriptions', 'order_devices'].includes(report)) query.set('group', group)
  return `/admin/api/statistics/${report}/${companyId}.json?${query}`
}
