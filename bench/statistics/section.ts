import type pg from 'pg'
import { type Case, makeCases } from '../cases.ts'
import { figureOf, type Measured } from '../figures.ts'
import { storeAnswers } from '../large-cases.ts'
import { familyCpu, familyCpuMs } from '../machine.ts'
import { measureCases, median } from '../measure.ts'
import type { Options } from '../options.ts'
import { startBareServer, startChild, startLoad } from '../processes.ts'
import { aimLine, casesTable } from '../report.ts'
import { type Filled, startFilled, withDatabase } from '../services.ts'
import { fetchBody } from '../verify.ts'
import { fillDays, fillMinute, SMALL_YEAR, YEAR } from './fill.ts'

/** Of the worker and of PostgreSQL, for one minute. */
type RollUp = { workerSeconds: number; databaseSeconds: number; heapGrowthMb: number }
type Service = Filled['service']

const [PRODUCTS, ORDERS] = [500, 500]
const SOLD = 50
const MINUTES = 10
const NAMES = ['traffic', 'order', 'cart', 'order_devices', 'order_products', 'overview'] as const
const SINGLES = 20
const ANY = 10_000
const RATIO_MIN = 0.6
const CPU_SECONDS_MAX = 6
const HEAP_GROWTH_MB_MAX = 5

/** The changes of real orders, to be copied. */
async function sellSome(client: pg.Client, service: Service): Promise<void> {
  const { order } = await makeCases(client, service.companyId)
  await client.query('delete from order_changes where company_id = $1', [service.companyId])
  for (const asked of order.requests.slice(0, SOLD)) await fetchBody(service, asked, 201)
  await client.query('create table bench_changes as select * from order_changes where company_id = $1', [
    service.companyId,
  ])
}

/** Some minutes of 1,000 orders and 10,000 page views, one right after the other. */
async function measureRollUp(client: pg.Client, filled: Filled, minutes: number): Promise<RollUp> {
  const { service, host, postmaster } = filled
  await sellSome(client, service)
  const worker = startChild('bench/statistics/roll-up.ts')
  const taken: { worker: number; database: number; heapMb: number }[] = []
  for (let number = 0; number <= minutes; number += 1) {
    await fillMinute(client, service.companyId, number)
    const before = familyCpu(postmaster)
    const { cpuSeconds, heapMb } = (await worker.ask({ host })) as { cpuSeconds: number; heapMb: number }
    const database = familyCpuMs(before, familyCpu(postmaster)) / 1000
    taken.push({ worker: cpuSeconds, database, heapMb })
    const { rowCount } = await client.query('select from order_changes limit 1')
    if (rowCount !== 0) throw new Error('changes were left over')
  }
  await worker.stop()
  const [first, ...others] = taken
  return {
    workerSeconds: median(others.map((minute) => minute.worker)),
    databaseSeconds: median(others.map((minute) => minute.database)),
    heapGrowthMb: (others.at(-1)?.heapMb ?? Number.NaN) - (first?.heapMb ?? Number.NaN),
  }
}

/** The first answer after something of the company was counted. */
async function measureMadeAnew(client: pg.Client, service: Service, path: string, singles: number): Promise<number> {
  const times: number[] = []
  for (let number = 0; number < singles; number += 1) {
    await client.query('update versions set number = number + 1 where company_id = $1', [service.companyId])
    const started = performance.now()
    await fetchBody(service, { method: 'GET', path })
    times.push(performance.now() - started)
  }
  return median(times)
}

/** Measures a year of statistics, and what adding them up costs, on a database of their own. */
export async function measureStatistics(options: Options): Promise<Measured> {
  const { smoke } = options
  const filled = await startFilled({ products: PRODUCTS, orders: ORDERS, flags: ['--no-worker'] }, smoke)
  const { host, postmaster } = filled
  const service = { ...filled.service, postmaster }
  const load = startLoad()
  return withDatabase(host, async (client) => {
    const rollUp = await measureRollUp(client, filled, smoke ? 1 : MINUTES)
    const size = smoke ? SMALL_YEAR : YEAR
    await fillDays(client, service.companyId, size)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const year = `?StartDate=${day(size.days - 1)}&EndDate=${day(0)}`
    const pathOf = (name: string) =>
      `/api/statistics/${name}/${service.companyId}.json${name === 'overview' ? '' : year}`
    const cases = NAMES.map(
      (name): Case => ({
        name,
        title: name,
        requests: [{ method: 'GET', path: pathOf(name) }],
        connectionsMax: ANY,
        ...(name === 'overview' ? {} : { aim: RATIO_MIN }),
      }),
    )
    await storeAnswers(client, service, cases)
    const floor = { ...(await startBareServer('bench/rights/floor.ts', host)), postmaster }
    const results = await measureCases(load, { service, floor }, cases, options)
    const madeAnew: { title: string; ms: number }[] = []
    for (const title of NAMES)
      madeAnew.push({ title, ms: await measureMadeAnew(client, service, pathOf(title), smoke ? 1 : SINGLES) })
    const { workerSeconds, databaseSeconds } = rollUp
    const added = { cpuMs: workerSeconds * 1000, databaseMs: databaseSeconds * 1000 }
    return {
      figures: [...results.map(figureOf), { name: 'roll-up', compared: 1, ...added }],
      lines: [casesTable(results), ...lines(madeAnew, rollUp)],
      details: { cases: results, madeAnew, rollUp },
    }
  })
}

/** Milliseconds until an answer that has to be made anew, because something has changed, and what adding up takes. */
function lines(madeAnew: { title: string; ms: number }[], rollUp: RollUp): string[] {
  const { workerSeconds, databaseSeconds, heapGrowthMb } = rollUp
  return [
    'The first answer after a change, ms: '.concat(
      madeAnew.map(({ title, ms }) => `${title} ${ms.toFixed(1)}`).join(', '),
    ),
    aimLine(
      'adding up a minute of 1,000 orders and 10,000 page views, CPU of the worker and PostgreSQL',
      workerSeconds + databaseSeconds,
      ' s',
      CPU_SECONDS_MAX,
      2,
    ),
    `  worker ${workerSeconds.toFixed(2)} s, PostgreSQL ${databaseSeconds.toFixed(2)} s`,
    aimLine(`heap of the worker after ${MINUTES} such minutes, growth`, heapGrowthMb, ' MB', HEAP_GROWTH_MB_MAX, 1),
  ]
}
