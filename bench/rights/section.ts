import type pg from 'pg'
import { type Asked, type Case, makeCases } from '../cases.ts'
import { type CaseResult, costFigures, figureOf, type Measured } from '../figures.ts'
import { measure, measureCases, measureInTurn, type Pair } from '../measure.ts'
import type { Options } from '../options.ts'
import { startBareServer, startLoad } from '../processes.ts'
import { aimLine, casesTable } from '../report.ts'
import { type Service, startFilled, withDatabase } from '../services.ts'
import { fetchBody } from '../verify.ts'
import { measureEngine } from './engine.ts'

type Grant = Pair & { costPercent: number }

const [PRODUCTS, ORDERS] = [500, 500]
const OWNED = 1000
const SMOKE_OWNED = 10
/** Pieces of one order. */
const PIECES_MAX = 100
const ANY = 10_000
const ENGINE_US_MAX = 10
const GRANT_PERCENT_MAX = 10

/** A customer who owns many things, in orders of at most a hundred pieces. */
async function fill(
  client: pg.Client,
  service: Service,
  owned: number,
): Promise<Record<'check' | 'use' | 'content', Asked[]>> {
  const { order } = await makeCases(client, service.companyId)
  const [first] = order.requests
  const sample: { order: { customer_token: string; line_items: object[] } } = JSON.parse(first?.body ?? '{}')
  const token = sample.order.customer_token
  const quantity = Math.min(owned, PIECES_MAX)
  for (let made = 0; made < owned; made += quantity) {
    const [line] = sample.order.line_items
    const line_items = [{ ...line, quantity }]
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
  return { check: post('check'), use: post('use'), content: [{ method: 'GET', path }] }
}

async function fillFloor(client: pg.Client, service: Service, cases: readonly Case[]): Promise<void> {
  await client.query(`create schema floor;
    create table floor.answers (path text primary key, uses int not null default 0, body text not null)
      with (toast_tuple_target = 8160, fillfactor = 80);
    alter table floor.answers alter body set storage external;
    create table floor.uses (id bigint generated always as identity primary key, path text not null, device text, at timestamptz);
    create index on floor.uses (path, id)`)
  for (const asked of cases.flatMap(({ requests }) => requests))
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
): Promise<Grant> {
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
export async function measureRights(options: Options): Promise<Measured> {
  const engineUs = measureEngine(options.smoke ? 1000 : 1_000_000)
  const filled = await startFilled({ products: PRODUCTS, orders: ORDERS, flags: ['--no-worker'] }, options.smoke)
  const { host, postmaster } = filled
  const service = { ...filled.service, postmaster }
  const load = startLoad()
  return withDatabase(host, async (client) => {
    const owned = options.smoke ? SMOKE_OWNED : OWNED
    const { check, use, content } = await fill(client, service, owned)
    const cases: Case[] = [
      { name: 'check', title: 'check', requests: check, connectionsMax: ANY, aim: 0.55 },
      { name: 'use', title: 'use', requests: use, connectionsMax: ANY, aim: 0.45 },
      {
        name: 'content',
        title: `content of a customer with ${owned}`,
        requests: content,
        connectionsMax: ANY,
        aim: 0.6,
      },
    ]
    await fillFloor(client, service, cases)
    const floor = { ...(await startBareServer('bench/rights/floor.ts', host)), postmaster }
    // A use changes the content, so the content is compared before.
    const results = await measureCases(load, { service, floor }, cases, options)
    console.log('Measuring what granting costs an order …')
    const { order } = await makeCases(client, service.companyId)
    const grant = await measureGrant(client, order, (chosen) => measure(load, service, chosen, options), options.rounds)
    const granted = { name: 'grant', compared: 1, ratio: grant.second.perSecond / grant.first.perSecond }
    return {
      figures: [
        ...results.map(figureOf),
        { ...granted, ...costFigures(grant.first, grant.second) },
        { name: 'engine', compared: 1, cpuMs: engineUs / 1000 },
      ],
      lines: lines(results, engineUs, grant),
      details: { engineUs, cases: results, grant },
    }
  })
}

function lines(results: CaseResult[], engineUs: number, { first, second, costPercent }: Grant): string[] {
  const cost = ({ cpuMs, databaseMs }: Pair['first']) => `${cpuMs.toFixed(3)} + ${databaseMs.toFixed(3)} ms`
  return [
    casesTable(results),
    aimLine('a decision of the engine, with the rights after it', engineUs, ' µs', ENGINE_US_MAX, 2),
    aimLine('what granting costs an order, CPU and DB', costPercent, ' %', GRANT_PERCENT_MAX, 1),
    `  without ${cost(first)}, with ${cost(second)}`,
  ]
}
