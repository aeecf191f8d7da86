import type { Resource } from '#platform/resource.ts'
import { statisticsRoutes } from './routes.ts'
import {
  CountryStatistic,
  OrderDeviceStatistic,
  OrderProductStatistic,
  OrderStatistic,
  Overview,
  ProductUsageStatistic,
  RefundStatistic,
  SourceStatistic,
  StatisticsPeriod,
  SubscriptionStatistic,
  TrafficStatistic,
  UsageStatistic,
} from './schema.ts'

export const statistics: Resource = {
  tags: [
    { name: 'Statistics', description: 'Traffic, sales and use of a company, in its time zone and home currency.' },
  ],
  schemas: [
    TrafficStatistic,
    OrderStatistic,
    OrderDeviceStatistic,
    OrderProductStatistic,
    Overview,
    UsageStatistic,
    ProductUsageStatistic,
    SourceStatistic,
    CountryStatistic,
    RefundStatistic,
    StatisticsPeriod,
    SubscriptionStatistic,
  ],
  routes: [statisticsRoutes],
}
