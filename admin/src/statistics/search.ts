import { dayIn, oneIn } from '../ui/lists/views.ts'

export const RANGES = ['7_days', '30_days', '12_months'] as const
export type Range = (typeof RANGES)[number]

export const REPORTS = [
  'order',
  'traffic',
  'cart',
  'subscriptions',
  'order_devices',
  'order_products',
  'usage_products',
  'countries',
] as const
export type ReportName = (typeof REPORTS)[number]

/** The last 30 days and the orders need no name in the address. Days that somebody chose go before a range. */
export type StatisticsSearch = { range?: Range; from?: string; to?: string; report?: ReportName }

/** Reads from the address which numbers of which days are shown. What makes no sense is left out. */
export function readStatisticsSearch(search: Record<string, unknown>): StatisticsSearch {
  const [range, report] = [oneIn(RANGES, search.range), oneIn(REPORTS, search.report)]
  const [from, to] = [dayIn(search.from), dayIn(search.to)]
  const isOwn = from !== undefined && to !== undefined
  return {
    ...(isOwn ? { from, to } : range === undefined || range === '30_days' ? {} : { range }),
    ...(report === undefined || report === 'order' ? {} : { report }),
  }
}
