import { readTrafficDays } from '#insight/visits/queries.ts'
import { NO_TRAFFIC } from '#insight/visits/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { CsvValue } from '#platform/files/csv.ts'
import { readUsageDays } from '#rights/entitlements/uses/queries.ts'
import { readOrderDays, readOrderOrigins, readProductSales } from '#selling/orders/statistics/queries.ts'
import { type DayRecord, NO_SALES } from '#selling/orders/statistics/rules.ts'
import { readCartDays } from '#shop/checkout/abandoned/queries.ts'
import { tooManyRecords } from './errors.ts'
import {
  presentDevices,
  presentDeviceTotals,
  presentProduct,
  presentSales,
  presentSalesTotals,
  presentTraffic,
  presentTrafficTotals,
  presentUsage,
} from './present.ts'
import type { Numbers, Reported } from './queries.ts'
import { deviceDays, NO_DEVICES, type Period, recordsOf, totalOf } from './rules.ts'
import { OrderProductStatistic, UsageStatistic } from './schema.ts'

/** The records of a period and their sums. */
export type Report = { records: Record<string, CsvValue>[]; totals: Record<string, CsvValue> }

export type ReportKind = {
  /** Answers have the records under this key. */
  key: string
  /** What it is made of: it stays the same until these numbers change. */
  numbers: Numbers
  /** For a file without records. */
  columns?: string[]
  read(db: Db, company: Reported, period: Period, limit?: number): Promise<Report>
}

export const trafficReport: ReportKind = {
  key: 'traffic_statistics',
  numbers: 'traffic',
  async read(db, { id }, period) {
    const days = recordsOf(NO_TRAFFIC, await readTrafficDays(db, id, period), period)
    return { records: days.map(presentTraffic), totals: presentTrafficTotals(totalOf(NO_TRAFFIC, days)) }
  },
}

function reportSales(days: readonly DayRecord[], currency: string, period: Period): Report {
  const records = recordsOf(NO_SALES, days, period)
  return {
    records: records.map((day) => presentSales(day, currency)),
    totals: presentSalesTotals(totalOf(NO_SALES, records), currency),
  }
}

export const orderReport: ReportKind = {
  key: 'order_statistics',
  numbers: 'orders',
  read: async (db, { id, currency }, period) => reportSales(await readOrderDays(db, id, period), currency, period),
}

/** Carts that were left, by the record that orders have. */
export const cartReport: ReportKind = {
  key: 'cart_statistics',
  numbers: 'carts',
  read: async (db, { id, currency }, period) => reportSales(await readCartDays(db, id, period), currency, period),
}

export const deviceReport: ReportKind = {
  key: 'order_device_statistics',
  numbers: 'orders',
  async read(db, { id }, period) {
    const origins = await readOrderOrigins(db, id, 'operating_system', period)
    const days = recordsOf(NO_DEVICES, deviceDays(origins), period)
    return { records: days.map(presentDevices), totals: presentDeviceTotals(totalOf(NO_DEVICES, days)) }
  },
}

/** No shop sells more products than this, so that all of them are listed unless the caller wants fewer. */
const PRODUCTS_MAX = 1_000_000

export const productReport: ReportKind = {
  key: 'order_product_statistics',
  numbers: 'orders',
  columns: Object.keys(OrderProductStatistic.properties),
  async read(db, { id, currency }, period, limit = PRODUCTS_MAX) {
    const products = await readProductSales(db, id, period, limit)
    return {
      records: products.map((product) => presentProduct(product, currency)),
      totals: { ...totalOf({ count: 0, amount: 0 }, products), currency },
    }
  },
}

/** An answer is made as a whole, with its sums and its ETag. This many records are about 12 MB. */
const USAGE_RECORDS_MAX = 100_000

const NO_USAGE = { plays: 0, minutes: 0, downloads: 0 }

export const usageReport: ReportKind = {
  key: 'usage_statistics',
  numbers: 'usage',
  columns: Object.keys(UsageStatistic.properties),
  async read(db, { id, utc_offset }, period) {
    const days = await readUsageDays(db, id, period, utc_offset, USAGE_RECORDS_MAX + 1)
    if (days.length > USAGE_RECORDS_MAX) throw validationFailed('group', tooManyRecords(USAGE_RECORDS_MAX))
    const records = days.map(presentUsage)
    return { records, totals: totalOf(NO_USAGE, records) }
  },
}
