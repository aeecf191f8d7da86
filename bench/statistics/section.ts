import { loadavg } from 'node:os'
import type pg from 'pg'
import { makeCases } from '../cases.ts'
import { familyCpu, familyCpuMs, isPinning, OTHER_CORE, pin } from '../machine.ts'
import { measure, measureInTurn, median } from '../measure.ts'
import type { Options } from '../options.ts'
import {
  databaseHost,
  makeDataFolder,
  postmasterPid,
  type Service,
  seed,
  startBareServer,
  startChild,
  startLoad,
  startService,
  withDatabase,
} from '../processes.ts'
import { aimLine, type CaseResult, casesTable, conditionLines } from '../report.ts'
import { fetchBody } from '../verify.ts'
import { DAYS, fillDays, fillMinute } from './fill.ts'

export type Statistics = {
  loadBefore: number
  options: Options
  cases: CaseResult[]
  /** Milliseconds until an answer that has to be made anew, because something has changed. */
  madeAnew: { title: string; ms: number }[]
  /** Of the worker and of PostgreSQL, for one minute. */
  rollUp: { workerSeconds: number; databaseSeconds: number; heapGrowthMb: number }
}

const [PRODUCTS, ORDERS] = [500, 500]
const SOLD = 50
const MINUTES = 10
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

/** Ten minutes of 1,000 orders and 10,000 page views, one right after the other. */
async function measureRollUp(client: pg.Client, service: Service, folder: string): Promise<Statistics['rollUp']> {
  await sellSome(client, service)
  const host = await databaseHost(folder)
  const worker = startChild('bench/statistics/roll-up.ts')
  const minutes: { worker: number; database: number; heapMb: number }[] = []
  for (let number = 0; number <= MINUTES; number += 1) {
    await fillMinute(client, service.companyId, number)
    const postmaster = await postmasterPid(folder)
    const before = familyCpu(postmaster)
    const { cpuSeconds, heapMb } = (await worker.ask({ host })) as { cpuSeconds: number; heapMb: number }
    const database = familyCpuMs(before, familyCpu(postmaster)) / 1000
    minutes.push({ worker: cpuSeconds, database, heapMb })
  }
  await worker.stop()
  const [first, ...others] = minutes
  return {
    workerSeconds: median(others.map((minute) => minute.worker)),
    databaseSeconds: median(others.map((minute) => minute.database)),
    heapGrowthMb: (others.at(-1)?.heapMb ?? Number.NaN) - (first?.heapMb ?? Number.NaN),
  }
}

async function fillFloor(client: pg.Client, service: Service, paths: readonly string[]): Promise<void> {
  await client.query(`create schema floor;
    create table floor.answers (path text primary key, body text not null) with (toast_tuple_target = 8160);
    alter table floor.answers alter body set storage external`)
  for (const path of paths)
    await client.query('insert into floor.answers (path, body) values ($1, $2)', [
      path,
      await fetchBody(service, { method: 'GET', path }),
    ])
}

/** The first answer after something of the company was counted. */
async function measureMadeAnew(client: pg.Client, service: Service, path: string): Promise<number> {
  const times: number[] = []
  for (let number = 0; number < SINGLES; number += 1) {
    await client.query('update versions set number = number + 1 where company_id = $1', [service.companyId])
    const started = performance.now()
    await fetchBody(service, { method: 'GET', path })
    times.push(performance.now() - started)
  }
  return median(times)
}

/** Measures a year of statistics, and what adding them up costs, on a database of their own. */
export async function measureStatistics(options: Options): Promise<Statistics> {
  const loadBefore = loadavg()[0] ?? 0
  pin(OTHER_CORE, process.pid)
  const folder = await makeDataFolder()
  const service = await startService(folder, ['--no-worker'])
  await seed(folder, PRODUCTS, ORDERS)
  const host = await databaseHost(folder)
  const postmaster = await postmasterPid(folder)
  const load = startLoad()
  return withDatabase(host, async (client) => {
    const rollUp = await measureRollUp(client, service, folder)
    await fillDays(client, service.companyId)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const year = `?StartDate=${day(DAYS - 1)}&EndDate=${day(0)}`
    const names = ['traffic', 'order', 'cart', 'order_devices', 'order_products', 'overview'] as const
    const pathOf = (name: string) =>
      `/api/statistics/${name}/${service.companyId}.json${name === 'overview' ? '' : year}`
    await fillFloor(client, service, names.map(pathOf))
    const floor = await startBareServer('bench/rights/floor.ts', host)
    const cases: CaseResult[] = []
    for (const name of names) {
      console.log(`Measuring ${name} …`)
      const chosen = { title: name, requests: [{ method: 'GET' as const, path: pathOf(name) }], connectionsMax: ANY }
      const pair = await measureInTurn(
        options.rounds,
        () => measure(load, { ...floor, postmaster }, chosen, options),
        () => measure(load, { ...service, postmaster }, chosen, options),
      )
      const shown = name === 'overview' ? { name, title: name } : { name, title: name, aim: RATIO_MIN }
      cases.push({ case: shown, floor: pair.first, service: pair.second })
    }
    const madeAnew = []
    for (const title of names) madeAnew.push({ title, ms: await measureMadeAnew(client, service, pathOf(title)) })
    return { loadBefore, options, cases, madeAnew, rollUp }
  })
}

export function reportStatistics({ cases, madeAnew, rollUp, options, loadBefore }: Statistics): string {
  const { workerSeconds, databaseSeconds, heapGrowthMb } = rollUp
  return [
    ...conditionLines({ at: '', node: process.version, pinned: isPinning(), loadBefore, options }),
    casesTable(cases),
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
    '',
  ].join('\n')
}
