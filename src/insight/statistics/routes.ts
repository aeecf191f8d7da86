import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { etagOf, holds, sendFile, sendJson, wrap } from '#platform/http/answers/answers.ts'
import { askedFields, onlyFields } from '#platform/http/answers/fields.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { answerBytes } from './answer-bytes.files.ts'
import { type Answer, keepReports } from './kept.cache.ts'
import { readOverview } from './overview.queries.ts'
import { readStatisticsPeriod } from './period.queries.ts'
import { getReported } from './queries.ts'
import {
  cartReport,
  countryReport,
  deviceReport,
  orderReport,
  productReport,
  productUsageReport,
  type ReportKind,
  refundReport,
  sourceReport,
  subscriptionReport,
  trafficReport,
  usageReport,
} from './reports.queries.ts'
import { readPeriod, readRange } from './rules.ts'
import {
  CountryStatistic,
  CountryTotals,
  DeviceTotals,
  OrderDeviceStatistic,
  OrderProductStatistic,
  OrderStatistic,
  OrderTotals,
  Overview,
  PeriodQuery,
  ProductQuery,
  ProductTotals,
  ProductUsageStatistic,
  RangeQuery,
  RefundStatistic,
  RefundTotals,
  SourceStatistic,
  SourceTotals,
  StatisticsPeriod,
  SubscriptionStatistic,
  SubscriptionTotals,
  TrafficStatistic,
  TrafficTotals,
  UsageStatistic,
  UsageTotals,
} from './schema.ts'

const config = { access: { scope: 'statistics', permissions: ['accounting'] } } as const
const tags = ['Statistics']
const Ref = Type.Object({
  company_id: PathPart('Id of the company: the own one, or one that names it as its partner.'),
})

/** An answer with the records and their sums, or a file with the records. */
const answered = (key: string, record: TSchema & { $id?: string }, totals: TObject) => ({
  200: {
    description: 'The records and their sums, or the file.',
    content: {
      'application/json': { schema: Type.Object({ [key]: Type.Array(named(record)), totals }) },
      'text/csv': { schema: Type.String({ description: 'With `format=csv`.' }) },
    },
  },
})

/** Sends an answer, as a file if that has a name, unless the caller has it already. */
function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Answer,
  fileName?: string,
): FastifyReply {
  reply.header('etag', etag)
  if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return fileName === undefined ? sendJson(reply, body) : sendFile(reply, { name: fileName, type: 'text/csv' }, body)
}

/** Sends the fields of an object that were asked for. */
function sendCut(request: FastifyRequest, reply: FastifyReply, key: string, body: Buffer, fields: string | undefined) {
  const answer = Buffer.from(wrap(key, onlyFields(body.toString('latin1'), askedFields(fields))))
  return sendAnswer(request, reply, { body: answer, etag: etagOf(answer) })
}

export const statisticsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, now, notices, heavyReads } = options
  const keep = keepReports(notices, heavyReads)

  const addReport = (
    name: string,
    kind: ReportKind,
    schema: {
      querystring: typeof PeriodQuery | typeof ProductQuery
      operationId: string
      summary: string
      description: string
      response: ReturnType<typeof answered>
    },
  ) =>
    app.get(
      `/statistics/${name}/:company_id.json`,
      {
        config,
        schema: {
          tags,
          params: Ref,
          ...schema,
          querystring: Type.Object({ ...schema.querystring.properties, ...Fields.properties }),
        },
      },
      async (request, reply) => {
        const { caller, params } = request
        const query: PeriodQuery & ProductQuery & Static<typeof Fields> = request.query
        const names = askedFields(query.fields)?.names
        const company = await getReported(
          db,
          caller.companyId,
          params.company_id,
          kind.numbers,
          now(request.caller.companyId),
        )
        const period = readPeriod(query, company.today)
        const isFile = query.format === 'csv'
        const asked = [name, period.from, period.to, period.group, query.limit, isFile, ...(names ?? [])]
        const make = async (connection: ResourceOptions['db']) =>
          answerBytes(kind, await kind.read(connection, company, period, query.limit), isFile, names)
        const answer = await keep(company, asked, make, request.signal)
        return sendAnswer(request, reply, answer, isFile ? `${kind.key.replaceAll('_', '-')}.csv` : undefined)
      },
    )

  addReport('traffic', trafficReport, {
    querystring: PeriodQuery,
    operationId: 'getTrafficStatistics',
    summary: 'Read the traffic of the shops',
    description: 'Visits of all shops of the company, day by day. The numbers of today are those until now.',
    response: answered('traffic_statistics', TrafficStatistic, TrafficTotals),
  })

  addReport('order', orderReport, {
    querystring: PeriodQuery,
    operationId: 'getOrderStatistics',
    summary: 'Read the orders of each day',
    description:
      'In the home currency, at the rate of the day of each order. A day says what its orders are worth now: refunds lessen the day of the order. Tests, cancelled orders and orders that are not paid are left out.',
    response: answered('order_statistics', OrderStatistic, OrderTotals),
  })

  addReport('cart', cartReport, {
    querystring: PeriodQuery,
    operationId: 'getCartStatistics',
    summary: 'Read the carts that were left each day',
    description:
      'The same fields as for orders: `order_count` is the number of carts that were abandoned, and the amounts are what they were worth. A cart belongs to the day on which it was touched last, and is left out again once its customer buys.',
    response: answered('cart_statistics', OrderStatistic, OrderTotals),
  })

  addReport('order_devices', deviceReport, {
    querystring: PeriodQuery,
    operationId: 'getOrderDeviceStatistics',
    summary: 'Read the orders of each day by operating system',
    description: 'Counts the orders that the statistics of orders count.',
    response: answered('order_device_statistics', OrderDeviceStatistic, DeviceTotals),
  })

  addReport('usage', usageReport, {
    querystring: PeriodQuery,
    operationId: 'getUsageStatistics',
    summary: 'Read how products were used',
    description:
      'What customers played and downloaded, by product and day. Only products that were used have a record. More than 100,000 records are refused: use `group=month`, or ask for fewer days.',
    response: answered('usage_statistics', UsageStatistic, UsageTotals),
  })

  addReport('usage_products', productUsageReport, {
    querystring: ProductQuery,
    operationId: 'getProductUsageStatistics',
    summary: 'Read how each product was used in a period',
    description:
      'What customers played, downloaded and watched to the end, by product, those that most customers began first. At most 10,000 products.',
    response: answered('usage_product_statistics', ProductUsageStatistic, UsageTotals),
  })

  addReport('order_products', productReport, {
    querystring: ProductQuery,
    operationId: 'getOrderProductStatistics',
    summary: 'Read how products sold',
    description:
      'All products that sold in the period, highest revenue first. More than 100,000 are refused: use `limit`, or ask for fewer days.',
    response: answered('order_product_statistics', OrderProductStatistic, ProductTotals),
  })

  addReport('sources', sourceReport, {
    querystring: ProductQuery,
    operationId: 'getSourceStatistics',
    summary: 'Read where visits and orders came from',
    description: 'The sites whose links led to the shops, highest revenue first. Visits of today are not counted yet.',
    response: answered('source_statistics', SourceStatistic, SourceTotals),
  })

  addReport('countries', countryReport, {
    querystring: ProductQuery,
    operationId: 'getCountryStatistics',
    summary: 'Read the countries that orders came from',
    description: 'The countries of the customers, highest revenue first.',
    response: answered('country_statistics', CountryStatistic, CountryTotals),
  })

  addReport('refunds', refundReport, {
    querystring: ProductQuery,
    operationId: 'getRefundStatistics',
    summary: 'Read why money was paid back',
    description:
      'The refunds of the period by their notes, the highest sum first, in the home currency. They belong to the day on which they were made, and not to that of their order.',
    response: answered('refund_statistics', RefundStatistic, RefundTotals),
  })

  addReport('subscriptions', subscriptionReport, {
    querystring: PeriodQuery,
    operationId: 'getSubscriptionStatistics',
    summary: 'Read how many subscriptions there are, and what happened to them',
    description:
      'Day by day: how many run at its end and what they come to in a month, and how many began, ended or could not be charged. Tests are left out.',
    response: answered('subscription_statistics', SubscriptionStatistic, SubscriptionTotals),
  })

  app.get(
    '/statistics/period/:company_id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getStatisticsPeriod',
        summary: 'Read the figures of a period and of the one before',
        description:
          'Visits, carts, orders and refunds of any period against those before, and what a chart shows of them. Without dates and `range` it is the last 30 days. More than 92 days are put together by month unless `group` says otherwise.',
        params: Ref,
        querystring: Type.Object({ ...RangeQuery.properties, ...Fields.properties }),
        response: { 200: Type.Object({ period: named(StatisticsPeriod) }) },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const company = await getReported(
        db,
        caller.companyId,
        params.company_id,
        'period',
        now(request.caller.companyId),
      )
      const { period, before } = readRange(query, company.today)
      const asked = ['period', period.from, period.to, period.group, before.from]
      const make = async (connection: ResourceOptions['db']) =>
        Buffer.from(asciiJson(await readStatisticsPeriod(connection, company, period, before)))
      const { body } = await keep(company, asked, make, request.signal)
      return sendCut(request, reply, 'period', body, query.fields)
    },
  )

  app.get(
    '/statistics/overview/:company_id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getStatisticsOverview',
        summary: 'Read what an owner looks at first',
        description:
          'Today, the last 7 and the last 30 days, each against the time before, the best products, and where orders and visits came from.',
        params: Ref,
        querystring: Fields,
        response: { 200: Type.Object({ overview: named(Overview) }) },
      },
    },
    async (request, reply) => {
      const company = await getReported(
        db,
        request.caller.companyId,
        request.params.company_id,
        'all',
        now(request.caller.companyId),
      )
      const make = async (connection: ResourceOptions['db']) =>
        Buffer.from(asciiJson(await readOverview(connection, company)))
      const { body } = await keep(company, ['overview'], make, request.signal)
      return sendCut(request, reply, 'overview', body, request.query.fields)
    },
  )

  done()
}
