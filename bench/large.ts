import type pg from 'pg'
import { type Case, type CaseName, makeCases } from './cases.ts'
import { costFigures, type Figure, figureOf, type Measured } from './figures.ts'
import { fillUnfolded, makeLargeCases, storeAnswers } from './large-cases.ts'
import { peakRssMb, rssMb } from './machine.ts'
import { measure, measureCases, measureInTurn, type Pair, type Target } from './measure.ts'
import type { Options } from './options.ts'
import { type Load, startBareServer, startLoad } from './processes.ts'
import { aimLine, casesTable, number } from './report.ts'
import { type Filled, type Service, startFilled, withDatabase } from './services.ts'

const TIMES = 10
const COMPARED = ['one', 'list'] as const
/** The cases need some orders, but these shops measure products. */
const ORDERS = 1000
const GROWTH_MB_MAX = 50
const TEN_TIMES_MAX = 1.2

type Cases = Record<CaseName, Case>

type Growth = {
  megabytes: number
  /** Peak while the first list is sent, above the memory before it. */
  firstMb: number
  /** Peak while the second list is sent, above the memory after the first. */
  laterMb: number
}

type TenTimes = { name: CaseName; title: string; small: Pair['first']; large: Pair['second'] }

async function open(products: number, smoke: boolean): Promise<Filled & { cases: Cases }> {
  const filled = await startFilled({ products, orders: ORDERS, flags: ['--no-worker'] }, smoke)
  const cases = await withDatabase(filled.host, async (client) => {
    await client.query('vacuum analyze')
    return makeCases(client, filled.service.companyId)
  })
  return { ...filled, cases }
}

/** Measures a shop with ten times the products, beside one with as many as the other sections have. */
export async function measureLarge(options: Options): Promise<Measured> {
  const load = startLoad()
  const { products, smoke } = options
  const small = await open(products, smoke)
  const large = smoke ? small : await open(products * TIMES, smoke)
  const growth = await measureGrowth(load, large.service, large.cases)
  const tenTimes: TenTimes[] = []
  const target = ({ service, postmaster }: Filled): Target => ({ ...service, postmaster })
  for (const name of COMPARED) {
    const { title } = large.cases[name]
    console.log(`Measuring ${title} at ${products} and ${products * TIMES} products …`)
    const pair = await measureInTurn(
      options.rounds,
      () => measure(load, target(small), small.cases[name], options),
      () => measure(load, target(large), large.cases[name], options),
    )
    tenTimes.push({ name, title, small: pair.first, large: pair.second })
  }
  if (large !== small) await small.service.stop()
  const results = await withDatabase(large.host, (client) => measureDeep(load, client, large, options))
  return {
    figures: [...results.map(figureOf), ...tenTimes.map(tenTimesFigure)],
    lines: [casesTable(results), '', ...growthLines(growth), ...tenTimes.flatMap(tenTimesLines)],
    details: { cases: results, growth, tenTimes },
  }
}

/** What grows with the shop: a page far behind, categories with many entries, counts with changes that are not added up. */
async function measureDeep(load: Load, client: pg.Client, { host, postmaster, ...filled }: Filled, options: Options) {
  const service = { ...filled.service, postmaster }
  await fillUnfolded(client, service, options.smoke)
  const cases = await makeLargeCases(client, service)
  await storeAnswers(client, service, cases)
  const floor = { ...(await startBareServer('bench/rights/floor.ts', host)), postmaster }
  return measureCases(load, { service, floor }, cases, options)
}

async function measureGrowth(load: Load, service: Service, cases: Cases): Promise<Growth> {
  console.log('Watching memory while the full list goes out …')
  const order = { url: service.address, token: service.token, connections: 1 }
  // Pages come first, so that the memory that any request needs is allocated before the list is read.
  await load({ ...order, requests: cases.list.requests, amount: 200 })
  const growths: number[] = []
  let megabytes = 0
  for (let nth = 0; nth < 2; nth += 1) {
    const before = rssMb(service.pid)
    const peak = await peakRssMb(service.pid, async () => {
      const result = await load({ ...order, requests: cases.full.requests, amount: 1 })
      if (result.requests !== 1 || result.failed > 0) throw new Error('the full list was not answered')
      megabytes = result.bytes / 1e6
    })
    growths.push(peak - before)
  }
  const [firstMb = Number.NaN, laterMb = Number.NaN] = growths
  return { megabytes, firstMb, laterMb }
}

function growthLines({ megabytes, firstMb, laterMb }: Growth): string[] {
  const streamed = `full list (${number(megabytes)} MB)`
  return [
    aimLine(`RSS growth, first ${streamed}`, firstMb, ' MB', GROWTH_MB_MAX, 1),
    aimLine(`RSS growth, second ${streamed}`, laterMb, ' MB', GROWTH_MB_MAX, 1),
  ]
}

function tenTimesFigure({ name, small, large }: TenTimes): Figure {
  const ratio = large.perSecond / small.perSecond
  return { name: `${name}-ten-times`, compared: 1, ratio, ...costFigures(small, large) }
}

function tenTimesLines({ title, small, large }: TenTimes): string[] {
  const cost = (sample: typeof small) => sample.cpuMs + sample.databaseMs
  return [
    aimLine(`${title} at ten times the rows, CPU and DB`, cost(large) / cost(small), '', TEN_TIMES_MAX, 2),
    `  CPU ${number(small.cpuMs, 3)} → ${number(large.cpuMs, 3)} ms, DB ${number(small.databaseMs, 3)} → ${number(large.databaseMs, 3)} ms, p50 ${number(small.p50)} → ${number(large.p50)} ms`,
  ]
}
