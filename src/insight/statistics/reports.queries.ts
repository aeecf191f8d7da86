import { readReferrers, readTrafficDays } from '#insight/visits/queries.ts'
import { NO_TRAFFIC } from '#insight/visits/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { CsvValue } from '#platform/wire/csv.ts'
import { countUsageRows, readUsageDays, readUsageOfProducts } from '#rights/entitlements/uses/queries.ts'
import {
  readOrderDays,
  readOrderOrigins,
  readOriginSums,
  readProductSales,
} from '#selling/orders/statistics/queries.ts'
import { readRefundReasons } from '#selling/orders/statistics/refunds.queries.ts'
import { type DayRecord, NO_SALES } from '#selling/orders/statistics/rules.ts'
import { readSubscriptionDays } from '#selling/subscriptions/statistics/queries.ts'
import { readCartDays } from '#shop/checkout/abandoned/queries.ts'
import { tooManyProducts, tooManyRecords } from './errors.ts'
import {
  presentCountry,
  presentDevices,
  presentDeviceTotals,
  presentProduct,
  presentProductUsage,
  presentRefund,
  presentSales,
  presentSalesTotals,
  presentSource,
  presentSubscriptions,
  presentTraffic,
  presentTrafficTotals,
  presentUsage,
} from './present.ts'
import type { Numbers, Reported } from './queries.ts'
import {
  deviceDays,
  NO_DEVICES,
  type Period,
  partsOf,
  recordsOf,
  sourcesOf,
  subscriptionRecords,
  subscriptionTotals,
  totalOf,
} from './rules.ts'
import {
  CountryStatistic,
  OrderProductStatistic,
  ProductUsageStatistic,
  RefundStatistic,
  SourceStatistic,
  UsageStatistic,
} from './schema.ts'

type Values = Record<string, CsvValue>

/** The records of a period, slice by slice, and their sums, which are known after the last slice. */
export type Report = { slices: AsyncIterable<Values[]> | Iterable<Values[]>; totals(): Values }

/** Records that are made and written at once; other requests get their turn in between. */
const SLICE = 1000

function* slicesOf<Item, Shown>(items: readonly Item[], present: (item: Item) => Shown): Generator<Shown[]> {
  for (let at = 0; at < items.length; at += SLICE) yield items.slice(at, at + SLICE).map(present)
}

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
    return {
      slices: slicesOf(days, presentTraffic),
      totals: () => presentTrafficTotals(totalOf(NO_TRAFFIC, days)),
    }
  },
}

function reportSales(days: readonly DayRecord[], currency: string, period: Period): Report {
  const records = recordsOf(NO_SALES, days, period)
  return {
    slices: slicesOf(records, (day) => presentSales(day, currency)),
    totals: () => presentSalesTotals(totalOf(NO_SALES, records), currency),
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
    return {
      slices: slicesOf(days, presentDevices),
      totals: () => presentDeviceTotals(totalOf(NO_DEVICES, days)),
    }
  },
}

/** An answer is made as a whole, with its sums and its ETag. This many records are about 12 MB. */
const RECORDS_MAX = 100_000

export const productReport: ReportKind = {
  key: 'order_product_statistics',
  numbers: 'orders',
  columns: Object.keys(OrderProductStatistic.properties),
  async read(db, { id, currency }, period, limit = RECORDS_MAX + 1) {
    const products = await readProductSales(db, id, period, limit)
    if (products.length > RECORDS_MAX) throw validationFailed('limit', tooManyProducts(RECORDS_MAX))
    return {
      slices: slicesOf(products, (product) => presentProduct(product, currency)),
      totals: () => ({ ...totalOf({ count: 0, amount: 0 }, products), currency }),
    }
  },
}

/** So many sites or reasons are compared, the highest first: nobody reads on to the end of more. */
const COMPARED_MAX = 10_000

export const sourceReport: ReportKind = {
  key: 'source_statistics',
  numbers: 'sources',
  columns: Object.keys(SourceStatistic.properties),
  async read(db, { id, currency }, period, limit = COMPARED_MAX) {
    const [visits, orders] = await Promise.all([
      readReferrers(db, id, period, COMPARED_MAX),
      readOriginSums(db, id, 'referrer', period, COMPARED_MAX),
    ])
    const sources = sourcesOf(visits, orders).slice(0, limit)
    return {
      slices: slicesOf(sources, (source) => presentSource(source, currency)),
      totals: () => ({ ...totalOf({ visits: 0, order_count: 0, order_amount: 0 }, sources), currency }),
    }
  },
}

export const countryReport: ReportKind = {
  key: 'country_statistics',
  numbers: 'orders',
  columns: Object.keys(CountryStatistic.properties),
  async read(db, { id, currency }, period, limit = COMPARED_MAX) {
    const countries = await readOriginSums(db, id, 'country', period, limit)
    return {
      slices: slicesOf(countries, (country) => presentCountry(country, currency)),
      totals: () => ({ ...totalOf({ order_count: 0, order_amount: 0 }, countries), currency }),
    }
  },
}

export const refundReport: ReportKind = {
  key: 'refund_statistics',
  numbers: 'refunds',
  columns: Object.keys(RefundStatistic.properties),
  async read(db, { id, currency, utc_offset }, period, limit = COMPARED_MAX) {
    const reasons = await readRefundReasons(db, id, period, utc_offset, limit)
    return {
      slices: slicesOf(reasons, (reason) => presentRefund(reason, currency)),
      totals: () => ({ ...totalOf({ refund_count: 0, refund_amount: 0 }, reasons), currency }),
    }
  },
}

export const subscriptionReport: ReportKind = {
  key: 'subscription_statistics',
  numbers: 'subscriptions',
  async read(db, { id, currency }, period) {
    const changes = await readSubscriptionDays(db, id, period)
    const records = subscriptionRecords(changes, period)
    return {
      slices: slicesOf(records, (record) => presentSubscriptions(record, currency)),
      totals: () => ({ currency, ...subscriptionTotals(changes, records) }),
    }
  },
}

/** About as many rows are read at once: many take long to turn into records, and other requests would wait. */
const ROWS_READ_AT_ONCE = 5000

const NO_USAGE = { plays: 0, minutes: 0, downloads: 0, started: 0, finished: 0 }

export const productUsageReport: ReportKind = {
  key: 'usage_product_statistics',
  numbers: 'usage',
  columns: Object.keys(ProductUsageStatistic.properties),
  async read(db, { id, utc_offset }, period, limit = COMPARED_MAX) {
    const products = (await readUsageOfProducts(db, id, period, utc_offset, limit)).map(presentProductUsage)
    return { slices: slicesOf(products, (product) => product), totals: () => totalOf(NO_USAGE, products) }
  },
}

export const usageReport: ReportKind = {
  key: 'usage_statistics',
  numbers: 'usage',
  columns: Object.keys(UsageStatistic.properties),
  async read(db, { id, utc_offset }, period) {
    const parts = partsOf(period, await countUsageRows(db, id, period), ROWS_READ_AT_ONCE)
    let totals = NO_USAGE
    async function* slices() {
      let room = RECORDS_MAX
      for (const part of parts) {
        const days = await readUsageDays(db, id, { ...period, ...part }, utc_offset, room + 1)
        if (days.length > room) throw validationFailed('group', tooManyRecords(RECORDS_MAX))
        room -= days.length
        for (const slice of slicesOf(days, presentUsage)) {
          totals = totalOf(totals, slice)
          yield slice
        }
      }
    }
    return { slices: slices(), totals: () => totals }
  },
}
