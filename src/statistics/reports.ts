import { readCartDays } from '#checkout/abandoned/queries.ts'
import { readUsageDays } from '#entitlements/uses/queries.ts'
import { readOrderDays, readOrderOrigins, readProductSales } from '#orders/statistics/queries.ts'
import { NO_SALES } from '#orders/statistics/rules.ts'
import type { CsvValue } from '#platform/csv.ts'
import type { Db } from '#platform/db/database.ts'
import { readTrafficDays } from '#visits/queries.ts'
import { NO_TRAFFIC } from '#visits/rules.ts'
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
import type { Reported } from './queries.ts'
import { deviceDays, NO_DEVICES, type Period, recordsOf, totalOf, usageRecords } from './rules.ts'
import { OrderProductStatistic, UsageStatistic } from './schema.ts'

/**
 * The records of a period, under the key that answers have them under, and their sums. `columns` is for reports that may
 * have no record.
 */
export type Report = {
  key: string
  columns?: string[]
  records: Record<string, CsvValue>[]
  totals: Record<string, CsvValue>
}

const NO_USAGE = { plays: 0, minutes: 0, downloads: 0 }

export async function reportTraffic(db: Db, { id }: Reported, period: Period): Promise<Report> {
  const days = recordsOf(NO_TRAFFIC, await readTrafficDays(db, id, period), period)
  return {
    key: 'traffic_statistics',
    records: days.map(presentTraffic),
    totals: presentTrafficTotals(totalOf(NO_TRAFFIC, days)),
  }
}

export async function reportOrders(db: Db, { id, currency }: Reported, period: Period): Promise<Report> {
  const days = recordsOf(NO_SALES, await readOrderDays(db, id, period), period)
  return {
    key: 'order_statistics',
    records: days.map((day) => presentSales(day, currency)),
    totals: presentSalesTotals(totalOf(NO_SALES, days), currency),
  }
}

/** Carts that were left, by the record that orders have. */
export async function reportCarts(db: Db, { id, currency }: Reported, period: Period): Promise<Report> {
  const days = recordsOf(NO_SALES, await readCartDays(db, id, period), period)
  return {
    key: 'cart_statistics',
    records: days.map((day) => presentSales(day, currency)),
    totals: presentSalesTotals(totalOf(NO_SALES, days), currency),
  }
}

export async function reportDevices(db: Db, { id }: Reported, period: Period): Promise<Report> {
  const origins = await readOrderOrigins(db, id, 'operating_system', period)
  const days = recordsOf(NO_DEVICES, deviceDays(origins), period)
  return {
    key: 'order_device_statistics',
    records: days.map(presentDevices),
    totals: presentDeviceTotals(totalOf(NO_DEVICES, days)),
  }
}

/** No shop sells more products than this, so that all of them are listed unless the caller wants fewer. */
const PRODUCTS_MAX = 1_000_000

export async function reportProducts(
  db: Db,
  { id, currency }: Reported,
  period: Period,
  limit = PRODUCTS_MAX,
): Promise<Report> {
  const products = await readProductSales(db, id, period, limit)
  return {
    key: 'order_product_statistics',
    columns: Object.keys(OrderProductStatistic.properties),
    records: products.map((product) => presentProduct(product, currency)),
    totals: { ...totalOf({ count: 0, amount: 0 }, products), currency },
  }
}

export async function reportUsage(db: Db, { id, utc_offset }: Reported, period: Period): Promise<Report> {
  const days = await readUsageDays(db, id, period, utc_offset)
  const records = usageRecords(days, period.group).map(presentUsage)
  return {
    key: 'usage_statistics',
    columns: Object.keys(UsageStatistic.properties),
    records,
    totals: totalOf(NO_USAGE, records),
  }
}
