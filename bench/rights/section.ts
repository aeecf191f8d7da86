import { loadavg } from 'node:os'
import type pg from 'pg'
import { type Asked, makeCases } from '../cases.ts'
import { isPinning, OTHER_CORE, pin } from '../machine.ts'
import { measure, measureInTurn, type Pair } from '../measure.ts'
import type { Options } from '../options.ts'
import {
  databaseHost,
  makeDataFolder,
  postmasterPid,
  type Service,
  seed,
  startBareServer,
  startLoad,
  startService,
  withDatabase,
} from '../processes.ts'
import { aimLine, type CaseResult, casesTable, conditionLines } from '../report.ts'
import { fetchBody } from '../verify.ts'
import { measureEngine } from './engine.ts'

export type Rights = {
  loadBefore: number
  options: Options
  engineUs: number
  cases: CaseResult[]
  grant: Pair & { costPercent: number }
}

const [PRODUCTS, ORDERS] = [500, 500]
const OWNED = 1000
const LINES = 100
const ANY = 10_000
const ENGINE_US_MAX = 10
const GRANT_PERCENT_MAX = 10

type Stage = { requests: Record<'check' | 'use' | 'content', Asked[]>; token: string }

/** A customer who owns a thousand things: ten orders of a hundred pieces. */
async function fill(client: pg.Client, service: Service): Promise<Stage> {
  const { order } = await makeCases(client, service.companyId)
  const [first] = order.requests
  const sample: { order: { customer_token: string; line_items: object[] } } = JSON.parse(first?.body ?? '{}')
  const token = sample.order.customer_token
  for (let made = 0; made < OWNED / LINES; made += 1) {
    const [line] = sample.order.line_items
    const line_items = [{ ...line, quantity: LINES }]
    const body = JSON.stringify({ order: { customer_token: token, line_items, customer_notification: 0 } })
    await fetchBody(service, { method: 'POST', path: '/api/orders.json', body }, 201)
  }
  const path = `/api/customers/${token}/content.json`
  const { content }: { content: { id: number }[] } = JSON.parse(await fetchBody(service, { method: 'GET', path }))
  const post = (kind: string) =>
    content.map(
      ({ id }, index): Asked => ({
        method: 'POST',
        path: `/api/entitlements/${id}/${kind}.json`,
        body: JSON.stringify({ [kind]: { action: 'play', device: `device ${index % 3}`, country: 'DE' } }),
      }),
    )
  return { token, requests: { check: post('check'), use: post('use'), content: [{ method: 'GET', path }] } }
}

async function fillFloor(client: pg.Client, service: Service, { requests }: Stage): Promise<void> {
  await client.query(`create schema floor;
    create table floor.answers (path text primary key, uses int not null default 0, body text not null)
      with (toast_tuple_target = 8160, fillfactor = 80);
    alter table floor.answers alter body set storage external;
    create table floor.uses (id bigint generated always as identity primary key, path text not null, device text, at timestamptz);
    create index on floor.uses (path, id)`)
  for (const asked of [...requests.check, ...requests.use, ...requests.content])
    await client.query('insert into floor.answers (path, body) values ($1, $2)', [
      asked.path,
      await fetchBody(service, asked),
    ])
  await client.query('vacuum analyze')
}

/** What granting costs an order: in one arm a trigger drops the rows, which costs a little itself. */
async function measureGrant(
  client: pg.Client,
  order: { title: string; requests: Asked[]; connectionsMax: number },
  measureOrder: (chosen: typeof order) => Promise<Pair['first']>,
  rounds: number,
): Promise<Rights['grant']> {
  await client.query(`create function drop_row() returns trigger language plpgsql as 'begin return null; end'`)
  await client.query('create trigger drop_row before insert on entitlements for each row execute function drop_row()')
  const inArm = async (state: 'enable' | 'disable') => {
    await client.query(`alter table entitlements ${state} trigger drop_row`)
    return measureOrder(order)
  }
  const pair = await measureInTurn(
    rounds,
    () => inArm('enable'),
    () => inArm('disable'),
  )
  const cost = ({ cpuMs, databaseMs }: Pair['first']) => cpuMs + databaseMs
  return { ...pair, costPercent: (cost(pair.second) / cost(pair.first) - 1) * 100 }
}

/** Measures what decisions, uses and grants cost, on a database of their own. */
export async function measureRights(options: Options): Promise<Rights> {
  const loadBefore = loadavg()[0] ?? 0
  const engineUs = measureEngine()
  pin(OTHER_CORE, process.pid)
  const folder = await makeDataFolder()
  const service = await startService(folder, ['--no-worker'])
  await seed(folder, PRODUCTS, ORDERS)
  const host = await databaseHost(folder)
  const postmaster = await postmasterPid(folder)
  const load = startLoad()
  return withDatabase(host, async (client) => {
    const stage = await fill(client, service)
    await fillFloor(client, service, stage)
    const floor = await startBareServer('bench/rights/floor.ts', host)
    const cases: CaseResult[] = []
    for (const [name, title, aim] of [
      ['check', 'check', 0.6],
      ['use', 'use', 0.5],
      ['content', `content of a customer with ${OWNED}`, 0.6],
    ] as const) {
      console.log(`Measuring ${title} …`)
      const chosen = { title, requests: stage.requests[name], connectionsMax: ANY }
      const pair = await measureInTurn(
        options.rounds,
        () => measure(load, { ...floor, postmaster }, chosen, options),
        () => measure(load, { ...service, postmaster }, chosen, options),
      )
      cases.push({ case: { name, title, aim }, floor: pair.first, service: pair.second })
    }
    console.log('Measuring what granting costs an order …')
    const { order } = await makeCases(client, service.companyId)
    const grant = await measureGrant(
      client,
      order,
      (chosen) => measure(load, { ...service, postmaster }, chosen, options),
      options.rounds,
    )
    return { loadBefore, options, engineUs, cases, grant }
  })
}

export function reportRights({ engineUs, cases, grant, options, loadBefore }: Rights): string {
  const cost = ({ cpuMs, databaseMs }: Pair['first']) => `${cpuMs.toFixed(3)} + ${databaseMs.toFixed(3)} ms`
  return [
    ...conditionLines({ at: '', node: process.version, pinned: isPinning(), loadBefore, options }),
    casesTable(cases),
    aimLine('a decision of the engine, with the rights after it', engineUs, ' µs', ENGINE_US_MAX, 2),
    aimLine('what granting costs an order, CPU and DB', grant.costPercent, ' %', GRANT_PERCENT_MAX, 1),
    `  without ${cost(grant.first)}, with ${cost(grant.second)}`,
    '',
  ].join('\n')
}
