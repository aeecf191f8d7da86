import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { csvLine } from '#platform/csv.ts'
import { isKnown, sendDocument, sendFile, sendJson } from '#platform/http/answers.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { asciiJson } from '#platform/wire.ts'
import { named, PathPart } from '#platform/wire-schema.ts'
import { readOverview } from './overview.ts'
import { getReported } from './queries.ts'
import {
  type Report,
  reportCarts,
  reportDevices,
  reportOrders,
  reportProducts,
  reportTraffic,
  reportUsage,
} from './reports.ts'
import { readPeriod } from './rules.ts'
import {
  DeviceTotals,
  OrderDeviceStatistic,
  OrderProductStatistic,
  OrderStatistic,
  OrderTotals,
  Overview,
  PeriodQuery,
  ProductQuery,
  ProductTotals,
  TrafficStatistic,
  TrafficTotals,
  UsageStatistic,
  UsageTotals,
} from './schema.ts'

const config = { scope: 'statistics' } as const
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

function sendReport(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, columns, records, totals }: Report,
  format: string | undefined,
): FastifyReply {
  const isFile = format === 'csv'
  const body = Buffer.from(isFile ? csvOf(records, columns) : asciiJson({ [key]: records, totals }))
  if (isKnown(request, reply, body)) return reply.code(304).send()
  if (!isFile) return sendJson(reply, body)
  return sendFile(reply, { name: `${key.replaceAll('_', '-')}.csv`, type: 'text/csv' }, body)
}

function csvOf(records: Report['records'], columns = Object.keys(records[0] ?? {})): string {
  return [columns, ...records.map((record) => columns.map((name) => record[name] ?? null))].map(csvLine).join('')
}

export const statisticsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  /** A record for every day of a period. */
  const addDaily = (
    name: string,
    report: typeof reportTraffic,
    docs: { operationId: string; summary: string; description: string; response: ReturnType<typeof answered> },
  ) =>
    app.get(
      `/statistics/${name}/:company_id.json`,
      { config, schema: { tags, params: Ref, querystring: PeriodQuery, ...docs } },
      async (request, reply) => {
        const { caller, params, query } = request
        const company = await getReported(db, caller.companyId, params.company_id, now())
        const period = readPeriod(query, company.today)
        return sendReport(request, reply, await report(db, company, period), query.format)
      },
    )

  addDaily('traffic', reportTraffic, {
    operationId: 'getTrafficStatistics',
    summary: 'Read the traffic of the shops',
    description: 'Visits of all shops of the company, day by day. The numbers of today are those until now.',
    response: answered('traffic_statistics', TrafficStatistic, TrafficTotals),
  })

  addDaily('order', reportOrders, {
    operationId: 'getOrderStatistics',
    summary: 'Read the orders of each day',
    description:
      'In the home currency, at the rate of the day of each order. A day says what its orders are worth now: refunds lessen the day of the order. Tests, cancelled orders and orders that are not paid are left out.',
    response: answered('order_statistics', OrderStatistic, OrderTotals),
  })

  addDaily('cart', reportCarts, {
    operationId: 'getCartStatistics',
    summary: 'Read the carts that were left each day',
    description:
      'The same fields as for orders: `order_count` is the number of carts that were abandoned, and the amounts are what they were worth. A cart belongs to the day on which it was touched last, and is left out again once its customer buys.',
    response: answered('cart_statistics', OrderStatistic, OrderTotals),
  })

  addDaily('order_devices', reportDevices, {
    operationId: 'getOrderDeviceStatistics',
    summary: 'Read the orders of each day by operating system',
    description: 'Counts the orders that the statistics of orders count.',
    response: answered('order_device_statistics', OrderDeviceStatistic, DeviceTotals),
  })

  addDaily('usage', reportUsage, {
    operationId: 'getUsageStatistics',
    summary: 'Read how products were used',
    description:
      'What customers played and downloaded, by product and day. Only products that were used have a record.',
    response: answered('usage_statistics', UsageStatistic, UsageTotals),
  })

  app.get(
    '/statistics/order_products/:company_id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getOrderProductStatistics',
        summary: 'Read how products sold',
        description: 'All products that sold in the period, highest revenue first.',
        params: Ref,
        querystring: ProductQuery,
        response: answered('order_product_statistics', OrderProductStatistic, ProductTotals),
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const company = await getReported(db, caller.companyId, params.company_id, now())
      const period = readPeriod(query, company.today)
      return sendReport(request, reply, await reportProducts(db, company, period, query.limit), query.format)
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
        response: { 200: Type.Object({ overview: named(Overview) }) },
      },
    },
    async (request, reply) => {
      const company = await getReported(db, request.caller.companyId, request.params.company_id, now())
      return sendDocument(request, reply, 'overview', asciiJson(await readOverview(db, company)))
    },
  )

  done()
}
