import { measureAuth } from './auth.ts'
import { type Asked, makeCases, NEW_PRODUCT } from './cases.ts'
import { type CaseResult, type Figure, figureOf, type Measured } from './figures.ts'
import { fillFloor, prepareFloorWrites } from './floor-tables.ts'
import { measureCases } from './measure.ts'
import type { Options } from './options.ts'
import { startBareServer, startLoad } from './processes.ts'
import { aimLine, casesTable } from './report.ts'
import { type Filled, startFilled, withDatabase } from './services.ts'
import { fetchBody } from './verify.ts'

/** Enough orders for pages at any position; the section on orders measures larger numbers. */
const ORDERS = 10_000
const FIELDS_TIMES_MAX = 1

/** Stores the floor's responses and the rows that its creates copy. */
async function prepare({ host, service }: Filled) {
  const sample: Asked = { method: 'POST', path: '/api/products.json', body: NEW_PRODUCT }
  const created: { product: { id: number } } = JSON.parse(await fetchBody(service, sample, 201))
  return withDatabase(host, async (client) => {
    const cases = await makeCases(client, service.companyId)
    const [firstOrder] = cases.order.requests
    if (firstOrder === undefined) throw new Error('there is no order to send')
    const ordered: { order: { id: number } } = JSON.parse(await fetchBody(service, firstOrder, 201))
    const { list, fields, count, filtered, licenses, prices, orders } = cases
    const reads = [list, fields, count, filtered, licenses, prices, orders].flatMap(({ requests }) => requests)
    await fillFloor(client, service, reads, (asked) => fetchBody(service, asked))
    const floorCompany = await prepareFloorWrites(client, { productKey: created.product.id, orderId: ordered.order.id })
    await client.query('vacuum analyze')
    return { cases, floorCompany }
  })
}

/** Measures products and orders through the API. */
export async function measureMain(options: Options): Promise<Measured> {
  const filled = await startFilled({ products: options.products, orders: ORDERS }, options.smoke)
  const { cases, floorCompany } = await prepare(filled)
  const { postmaster, host } = filled
  const floor = {
    ...(await startBareServer('bench/floor.ts', host, options.floor, String(floorCompany))),
    postmaster,
  }
  const service = { ...filled.service, postmaster }
  const load = startLoad()
  const auth = options.auth ? await measureAuth(load, service, options) : undefined
  const chosen = options.cases.map((name) => cases[name])
  const results = await measureCases(load, { service, floor }, chosen, options)
  const fields = fieldsFigure(results)
  return {
    figures: [...results.map(figureOf), ...(fields ? [fields.figure] : []), ...(auth ? [auth.figure] : [])],
    lines: [casesTable(results), '', ...(fields?.lines ?? []), ...(auth?.lines ?? [])],
    details: { cases: results },
  }
}

/** A list with some fields should not take more CPU time than the whole list. */
function fieldsFigure(results: readonly CaseResult[]): { figure: Figure; lines: string[] } | undefined {
  const [list, fields] = ['list', 'fields'].map((name) => results.find((result) => result.case.name === name)?.service)
  if (list === undefined || fields === undefined) return undefined
  const cost = { cpuRatio: list.cpuMs / fields.cpuMs, cpuMs: fields.cpuMs }
  return {
    figure: { name: 'fields-to-list', compared: 1, ratio: fields.perSecond / list.perSecond, ...cost },
    lines: [aimLine('CPU of a list with some fields, in full lists', 1 / cost.cpuRatio, '', FIELDS_TIMES_MAX, 2)],
  }
}
