import type { Traffic } from '#insight/visits/state.ts'
import type { UsageDay } from '#rights/entitlements/uses/state.ts'
import type { RefundReason } from '#selling/orders/statistics/refunds.queries.ts'
import type { OriginDay, ProductSales, SaleRecord } from '#selling/orders/statistics/rules.ts'
import type { Devices, Source, SubscriptionDay } from './rules.ts'
import type {
  CountryStatistic,
  DeviceTotals,
  OrderDeviceStatistic,
  OrderProductStatistic,
  OrderStatistic,
  OrderTotals,
  ProductUsageStatistic,
  RefundStatistic,
  SourceStatistic,
  SubscriptionStatistic,
  TrafficStatistic,
  TrafficTotals,
  UsageStatistic,
  UsageTotals,
} from './schema.ts'

type Dated<Numbers> = Numbers & { date: string }

/** The interface writes a day as a time. */
export function presentDate(day: string): string {
  return `${day}T00:00:00`
}

export function presentTrafficTotals({ bounces, ...traffic }: Traffic): TrafficTotals {
  return { ...traffic, bounce: bounces }
}

export function presentTraffic(day: Dated<Traffic>): TrafficStatistic {
  const { visits, page_views, visitors, repeating_visitors, bots, bounces: bounce } = day
  return { date: presentDate(day.date), visits, page_views, visitors, repeating_visitors, bots, bounce }
}

export function presentSalesTotals(sales: SaleRecord, currency: string): OrderTotals {
  return { currency, ...sales }
}

export function presentSales({ date, ...sales }: Dated<SaleRecord>, currency: string): OrderStatistic {
  return { currency, date: presentDate(date), ...sales }
}

export function presentDevices({ date, ...devices }: Dated<Devices>): OrderDeviceStatistic {
  return { date: presentDate(date), ...devices }
}

export function presentDeviceTotals(devices: Devices): DeviceTotals {
  return devices
}

export function presentProduct(
  { product_key: id, product_id, name, count, amount }: ProductSales,
  currency: string,
): OrderProductStatistic {
  return { count, id, name, product_id, amount, currency }
}

export function presentSource(source: Source, currency: string): SourceStatistic {
  return { ...source, currency }
}

export function presentCountry({ value, ...orders }: Omit<OriginDay, 'date'>, currency: string): CountryStatistic {
  return { country_code: value, ...orders, currency }
}

export function presentRefund(reason: RefundReason, currency: string): RefundStatistic {
  return { ...reason, currency }
}

type Use = Pick<UsageDay, 'plays' | 'downloads' | 'seconds' | 'started' | 'finished'>

export function presentUsageTotals({ plays, downloads, seconds, started, finished }: Use): UsageTotals {
  return { plays, minutes: Math.round(seconds / 60), downloads, started, finished }
}

export function presentProductUsage({ id, product_id, name, ...use }: Omit<UsageDay, 'date'>): ProductUsageStatistic {
  return { id, product_id, name, ...presentUsageTotals(use) }
}

export function presentUsage({ date, id, product_id, name, ...use }: UsageDay): UsageStatistic {
  return { date: presentDate(date), id, product_id, name, ...presentUsageTotals(use) }
}

export function presentSubscriptions({ date, ...record }: SubscriptionDay, currency: string): SubscriptionStatistic {
  return { currency, date: presentDate(date), ...record }
}
