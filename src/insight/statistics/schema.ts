import { type Static, Type } from 'typebox'
import { named, nullable, Text, TimeInput } from '#platform/wire/schema.ts'

const number = (description: string) => Type.Integer({ description })
const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })

const date = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T00:00:00$',
  description: 'The day, or the first day of the week or month, in the time zone of the company.',
  examples: ['2026-05-01T00:00:00'],
})
const currency = Text(3, 'Home currency of the company, in lower case.', ['eur'])

const traffic = {
  visits: number('Visits of people. A pause of 30 minutes and midnight end a visit.'),
  page_views: number('Pages that people looked at.'),
  visitors: number('Different people of each day. Nobody is recognised on another day.'),
  repeating_visitors: number('Visitors who came more than once on the same day.'),
  bots: number('Visits of programs, which the other numbers leave out.'),
  bounce: number('Visits of a single page.'),
}

export const TrafficStatistic = Type.Object({ date, ...traffic }, { $id: 'TrafficStatistic' })

const sales = {
  digital_count: number('Pieces of content.'),
  digital_amount: cents('What was paid for content.'),
  international_count: number('Orders of customers in other countries.'),
  international_amount: cents('Totals of orders of customers in other countries.'),
  item_count: number('Pieces of everything.'),
  national_count: number('Orders of customers in the country of the company, or of unknown countries.'),
  national_amount: cents('Totals of orders of customers in the country of the company.'),
  order_count: number('Orders.'),
  order_amount: cents('Totals of the orders, with tax and shipping.'),
  permanent_license_count: number('Pieces of content that were sold for ever.'),
  permanent_license_amount: cents('What was paid for content that was sold for ever.'),
  physical_count: number('Pieces of goods.'),
  physical_amount: cents('What was paid for goods, without shipping.'),
  rental_license_count: number('Pieces of content whose license expires.'),
  rental_license_amount: cents('What was paid for content whose license expires.'),
}

export const OrderStatistic = Type.Object({ currency, date, ...sales }, { $id: 'OrderStatistic' })

const devices = {
  fire_os: number('Orders from Fire OS.'),
  chrome_os: number('Orders from ChromeOS.'),
  ios: number('Orders from iOS and iPadOS.'),
  android: number('Orders from Android.'),
  windows: number('Orders from Windows.'),
  os_x: number('Orders from macOS.'),
  linux: number('Orders from Linux.'),
  unknown: number('Orders from devices that are not known, such as orders of apps.'),
}

export const OrderDeviceStatistic = Type.Object({ date, ...devices }, { $id: 'OrderDeviceStatistic' })

export const OrderProductStatistic = Type.Object(
  {
    count: number('Pieces that were sold and not refunded.'),
    id: number('Id of the product.'),
    name: Type.String({
      description: 'Title of the product. A deleted product has the title under which it was sold.',
    }),
    product_id: Type.String({ description: 'The `product_id` of the product.' }),
    amount: cents('Revenue with tax, after discounts and refunds.'),
    currency,
  },
  { $id: 'OrderProductStatistic' },
)

const usage = {
  plays: number('How often it was played, read or started.'),
  minutes: number('How long it was played, where players report the place.'),
  downloads: number('How often it was downloaded.'),
  started: number('How many customers have begun one of its files, each counted once.'),
  finished: number('How many customers have reached the end of one of its files, each counted once.'),
}

export const UsageStatistic = Type.Object(
  {
    date,
    id: number('Id of the product.'),
    product_id: Type.String({ description: 'The `product_id` of the product.' }),
    name: Type.String({ description: 'Title under which it was sold.' }),
    ...usage,
  },
  { $id: 'UsageStatistic' },
)

export const ProductUsageStatistic = Type.Object(
  {
    id: number('Id of the product.'),
    product_id: Type.String({ description: 'The `product_id` of the product.' }),
    name: Type.String({ description: 'Title under which it was sold.' }),
    ...usage,
  },
  { $id: 'ProductUsageStatistic' },
)

export const UsageTotals = Type.Object(usage)
export const TrafficTotals = Type.Object(traffic)
export const OrderTotals = Type.Object({ currency, ...sales })
export const DeviceTotals = Type.Object(devices)
export const ProductTotals = Type.Object({
  count: number('Pieces of all products of the list.'),
  amount: cents('Revenue of all products of the list.'),
  currency,
})

const from = { order_count: sales.order_count, order_amount: sales.order_amount }
const host = Type.String({ description: 'Host of the page with the link; empty: unknown, or no link.' })
const country_code = Type.String({ description: 'Two letters; empty: unknown.' })

export const SourceStatistic = Type.Object(
  { host, visits: traffic.visits, ...from, currency },
  { $id: 'SourceStatistic' },
)

const subscriptions = {
  active_count: number('Subscriptions that run at the end, with those in a trial, past due or cancelled for later.'),
  trial_count: number('Of these, those in a trial.'),
  past_due_count: number('Of these, those whose period is not paid in time.'),
  recurring_amount: cents(
    'What those that are paid for come to in a month, at the end: a year by 12, a quarter by 3, a week times 52 by 12. As price models have it, at the rate of the last change.',
  ),
  new_count: number('Subscriptions that began, with a trial or without.'),
  trial_started_count: number('Trials that began.'),
  trial_converted_count: number('Trials after which the first period was paid.'),
  cancelled_count: number('Subscriptions that somebody cancelled.'),
  withdrawn_count: number('Cancellations that were taken back.'),
  ended_count: number('Subscriptions that ended, for whatever reason.'),
  failed_charge_count: number('Charges that failed, and bills that were not paid in time.'),
  recovered_charge_count: number('Periods that were paid after that.'),
  churn_percent: nullable(
    Type.Number({ description: '`ended_count` of those that ran at the beginning, in percent. Null: none ran.' }),
  ),
}

export const SubscriptionStatistic = Type.Object({ currency, date, ...subscriptions }, { $id: 'SubscriptionStatistic' })
export const SubscriptionTotals = Type.Object({ currency, ...subscriptions })

export const CountryStatistic = Type.Object({ country_code, ...from, currency }, { $id: 'CountryStatistic' })

const refunds = {
  refund_count: number('Refunds that were made. Those whose money could not be returned are left out.'),
  refund_amount: cents('What was paid back, on the days of the refunds.'),
}

export const RefundStatistic = Type.Object(
  {
    reason: Type.String({ description: 'The first 200 characters of the note; empty: there was none.' }),
    ...refunds,
    currency,
  },
  { $id: 'RefundStatistic' },
)

export const SourceTotals = Type.Object({ visits: traffic.visits, ...from, currency })
export const CountryTotals = Type.Object({ ...from, currency })
export const RefundTotals = Type.Object({ ...refunds, currency })

const PeriodFigures = Type.Object({
  start_date: date,
  end_date: date,
  visits: traffic.visits,
  visitors: traffic.visitors,
  order_count: sales.order_count,
  order_amount: sales.order_amount,
  item_count: sales.item_count,
  shop_order_count: number('Orders of the shops, without those that apps create.'),
  cart_count: number('Carts that were begun.'),
  visit_to_cart_percent: nullable(
    Type.Number({ description: 'Carts per hundred visits. Null: there were no visits.' }),
  ),
  cart_to_order_percent: nullable(
    Type.Number({ description: 'Orders of the shops per hundred carts. Null: there were no carts.' }),
  ),
  conversion_percent: nullable(
    Type.Number({ description: 'Orders of the shops per hundred visits. Null: there were no visits.' }),
  ),
})

const Compared = (description: string) =>
  Type.Object({ ...PeriodFigures.properties, before: PeriodFigures }, { description })

const OverviewDay = Type.Object({
  date,
  order_count: sales.order_count,
  order_amount: sales.order_amount,
  visits: traffic.visits,
})

export const Overview = Type.Object(
  {
    currency,
    today: Compared('Today until now, and all of yesterday in `before`.'),
    same_day_last_week: Type.Object(PeriodFigures.properties, { description: 'All of the same weekday a week ago.' }),
    days: Type.Array(OverviewDay, { description: 'The last 60 days, oldest first. The last one is today until now.' }),
    last_7_days: Compared('The last 7 days including today, and the 7 days before in `before`.'),
    last_30_days: Compared('The last 30 days including today, and the 30 days before in `before`.'),
    products: Type.Array(named(OrderProductStatistic), {
      description: 'The ten products with the highest revenue of the last 30 days.',
    }),
    countries: Type.Array(Type.Object({ country_code, ...from }), {
      description: 'The ten countries whose customers paid most in the last 30 days.',
    }),
    order_referrers: Type.Array(Type.Object({ host, ...from }), {
      description: 'The ten sites that led to most revenue in the last 30 days.',
    }),
    visit_referrers: Type.Array(Type.Object({ host, visits: traffic.visits }), {
      description: 'The ten sites that led to most visits in the last 30 days, without today.',
    }),
  },
  { $id: 'StatisticsOverview' },
)

const periodNumbers = {
  ...PeriodFigures.properties,
  left_cart_count: number('Carts that were left.'),
  left_cart_amount: cents('What the carts that were left were worth.'),
  ...refunds,
  records: Type.Array(OverviewDay, { description: 'Each day, week or month, oldest first.' }),
}

export const StatisticsPeriod = Type.Object(
  {
    currency,
    group: Type.Unsafe<'day' | 'week' | 'month'>({
      type: 'string',
      enum: ['day', 'week', 'month'],
      description: 'What each record is of.',
    }),
    ...periodNumbers,
    before: Type.Object(periodNumbers, {
      description: 'As many days before. Of the last 12 months, the same days a year before.',
    }),
  },
  { $id: 'StatisticsPeriod' },
)

const DATE = 'A time and an offset are ignored.'
const period = {
  StartDate: Type.Optional(TimeInput(`The first day. Without it, 30 days until \`EndDate\`. ${DATE}`)),
  EndDate: Type.Optional(TimeInput(`The last day, which is included. Without it, today. ${DATE}`)),
}
const format = Type.Optional(
  Type.String({ enum: ['json', 'csv'], description: '`csv` for a file that a spreadsheet opens.' }),
)

const group = Type.Optional(
  Type.Unsafe<'day' | 'week' | 'month'>({
    type: 'string',
    enum: ['day', 'week', 'month'],
    description: 'One record per day, week (from Monday) or month. Days outside the period are not counted.',
  }),
)

export const PeriodQuery = Type.Object({ ...period, group, format })

export const RangeQuery = Type.Object({
  range: Type.Optional(
    Type.Unsafe<'7_days' | '30_days' | '12_months'>({
      type: 'string',
      enum: ['7_days', '30_days', '12_months'],
      description: 'The time until today in the time zone of the company. `StartDate` and `EndDate` go before it.',
    }),
  ),
  ...period,
  group,
})

export const ProductQuery = Type.Object({
  ...period,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Only so many records, the highest first.' }),
  ),
  format,
})

export type SubscriptionStatistic = Static<typeof SubscriptionStatistic>
export type SourceStatistic = Static<typeof SourceStatistic>
export type CountryStatistic = Static<typeof CountryStatistic>
export type RefundStatistic = Static<typeof RefundStatistic>
export type StatisticsPeriod = Static<typeof StatisticsPeriod>
export type RangeQuery = Static<typeof RangeQuery>
export type ProductUsageStatistic = Static<typeof ProductUsageStatistic>
export type UsageStatistic = Static<typeof UsageStatistic>
export type UsageTotals = Static<typeof UsageTotals>
export type PeriodFigures = Static<typeof PeriodFigures>
export type Overview = Static<typeof Overview>
export type OverviewDay = Static<typeof OverviewDay>
export type PeriodQuery = Static<typeof PeriodQuery>
export type ProductQuery = Static<typeof ProductQuery>
export type TrafficStatistic = Static<typeof TrafficStatistic>
export type OrderStatistic = Static<typeof OrderStatistic>
export type OrderDeviceStatistic = Static<typeof OrderDeviceStatistic>
export type TrafficTotals = Static<typeof TrafficTotals>
export type OrderTotals = Static<typeof OrderTotals>
export type DeviceTotals = Static<typeof DeviceTotals>
export type OrderProductStatistic = Static<typeof OrderProductStatistic>
