import type { AuthCost } from './auth.ts'
import type { Large } from './large.ts'
import type { Pair } from './measure.ts'
import type { Options } from './options.ts'
import { type Growth, TIMES } from './orders.ts'
import type { Webhooks } from './webhooks/section.ts'

export type CaseResult = {
  case: { name: string; title: string; aim?: number }
  floor: Pair['first']
  service: Pair['second']
}

export type Results = {
  at: string
  node: string
  pinned: boolean
  /** The load average of the minute before: other processes make every figure worse. */
  loadBefore: number
  options: Options
  idleRssMb: number
  coldStartMs: number
  warmStartMs: number
  cases: CaseResult[]
  auth?: AuthCost
  large?: Large
  growth?: Growth
  webhooks?: Webhooks
}

export type WebhookResults = Pick<Results, 'at' | 'node' | 'pinned' | 'loadBefore' | 'options'> & { webhooks: Webhooks }

const IDLE_RSS_MB_MAX = 150
const GROWTH_MB_MAX = 50
const TEN_TIMES_MAX = 1.2
/** The highest cost ratio for ten times as many orders. */
const ORDERS_TIMES_MAX = 1.5
const WARM_START_MS_MAX = 1000
const TOKEN_US_MAX = 20
const BUSY = 0.5
const DELIVERIES_RATIO_MIN = 0.5
const DELIVERIES_PER_SECOND_MIN = 1000
const LATENCY_MS_MAX = 50
const CROWD_TIMES_MAX = 1.2
const EVENT_COST_PERCENT_MAX = 3

function number(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function verdict(met: boolean): string {
  return met ? 'ok' : 'MISS'
}

/** The full list is compared by bytes, everything else by requests. */
export function ratioOf({ case: { name }, service, floor }: CaseResult): number {
  return name === 'full' ? service.megabytesPerSecond / floor.megabytesPerSecond : service.perSecond / floor.perSecond
}

function table(rows: string[][]): string {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return rows.map(line).join('\n')
}

export function casesTable(results: CaseResult[]): string {
  const head = ['case', 'req/s', 'floor', 'ratio', 'aim', '', 'p50 ms', 'p99 ms', 'floor p50', 'floor p99']
  const costs = ['CPU ms', 'floor', 'ratio', 'DB ms', 'floor', 'MB/s', 'floor', 'RSS MB']
  const rows = results.map((result) => {
    const { service, floor } = result
    const { title, aim } = result.case
    const ratio = ratioOf(result)
    return [
      title,
      number(service.perSecond, service.perSecond < 100 ? 1 : 0),
      number(floor.perSecond, floor.perSecond < 100 ? 1 : 0),
      number(ratio, 2),
      aim === undefined ? '' : `≥${aim}`,
      aim === undefined ? '' : verdict(ratio >= aim),
      number(service.p50),
      number(service.p99),
      number(floor.p50),
      number(floor.p99),
      number(service.cpuMs, 3),
      number(floor.cpuMs, 3),
      number(floor.cpuMs / service.cpuMs, 2),
      number(service.databaseMs, 3),
      number(floor.databaseMs, 3),
      number(service.megabytesPerSecond, 1),
      number(floor.megabytesPerSecond, 1),
      number(service.rssMb),
    ]
  })
  return table([[...head, ...costs], ...rows])
}

export function aimLine(what: string, value: number, unit: string, maximum: number, digits = 0): string {
  return `${what}: ${number(value, digits)}${unit} (aim ${unit === '' ? '≤' : '<'}${maximum}${unit}) ${verdict(value <= maximum)}`
}

function largeLines({ growth, tenTimes }: Large): string[] {
  const streamed = `full list of ${number(growth.products)} products (${number(growth.megabytes)} MB)`
  return [
    aimLine(`RSS growth, first ${streamed}`, growth.firstMb, ' MB', GROWTH_MB_MAX, 1),
    aimLine(`RSS growth, second ${streamed}`, growth.laterMb, ' MB', GROWTH_MB_MAX, 1),
    ...tenTimes.flatMap(({ title, small, large }) => {
      const cost = (sample: typeof small) => sample.cpuMs + sample.databaseMs
      const parts = `CPU ${number(small.cpuMs, 3)} → ${number(large.cpuMs, 3)} ms, DB ${number(small.databaseMs, 3)} → ${number(large.databaseMs, 3)} ms, p50 ${number(small.p50)} → ${number(large.p50)} ms`
      return [
        aimLine(`${title} at ten times the rows, CPU and DB`, cost(large) / cost(small), '', TEN_TIMES_MAX, 2),
        `  ${parts}`,
      ]
    }),
  ]
}

function growthLines({ orders, seconds, questions }: Growth): string[] {
  const more = orders * TIMES
  const head = ['orders', `ms at ${number(orders)}`, `ms at ${number(more)}`, 'ratio', 'aim', '']
  const costs = ['CPU', '', 'DB', '', 'p50', '']
  const rows = questions.map(({ title, small, large }) => {
    const cost = (sample: typeof small) => sample.cpuMs + sample.databaseMs
    const ratio = cost(large) / cost(small)
    const pair = (name: 'cpuMs' | 'databaseMs' | 'p50', digits: number) => [
      number(small[name], digits),
      number(large[name], digits),
    ]
    const costs = [...pair('cpuMs', 3), ...pair('databaseMs', 3), ...pair('p50', 0)]
    const aim = [number(ratio, 2), `≤${ORDERS_TIMES_MAX}`, verdict(ratio <= ORDERS_TIMES_MAX)]
    return [title, number(cost(small), 3), number(cost(large), 3), ...aim, ...costs]
  })
  const [few, many] = seconds
  return [
    '',
    table([[...head, ...costs], ...rows]),
    `filling a shop with ${number(orders)} orders: ${number(few)} s, with ${number(more)}: ${number(many)} s`,
  ]
}

function authLines({ openMs, guardedMs, costUs }: AuthCost): string[] {
  return [
    aimLine('CPU of a warm token, its limit and its scope', costUs, ' µs', TOKEN_US_MAX, 1),
    `  open ${number(openMs, 4)} ms, guarded ${number(guardedMs, 4)} ms`,
  ]
}

function webhookLines({ throughput, latency, crowd, eventCost }: Webhooks): string[] {
  const head = ['deliveries', '/s', 'floor', 'ratio', 'aim', '', 'CPU ms', 'floor', 'ratio', 'DB ms']
  const rows = throughput.map((result) => {
    const ratio = result.perSecond / result.floorPerSecond
    const isMet = ratio >= DELIVERIES_RATIO_MIN && result.perSecond >= DELIVERIES_PER_SECOND_MIN
    return [
      `${number(result.deliveries)} ${result.title}`,
      number(result.perSecond),
      number(result.floorPerSecond),
      number(ratio, 2),
      `≥${DELIVERIES_RATIO_MIN}, ≥${number(DELIVERIES_PER_SECOND_MIN)}/s`,
      verdict(isMet),
      number(result.cpuMs, 3),
      number(result.floorCpuMs, 3),
      number(result.floorCpuMs / result.cpuMs, 2),
      number(result.databaseMs, 3),
    ]
  })
  const { alone, withNew, withFailing } = crowd
  const among = `${number(crowd.deliveries)} events to the living half of ${number(crowd.webhooks)} webhooks`
  const cost = ({ cpuMs, databaseMs }: typeof eventCost.with) => `${number(cpuMs, 3)} + ${number(databaseMs, 3)} ms`
  return [
    '',
    table([head, ...rows]),
    aimLine('from a change to its arrival, median', latency.p50, ' ms', LATENCY_MS_MAX, 1),
    aimLine('from a change to its arrival, p99', latency.p99, ' ms', LATENCY_MS_MAX, 1),
    aimLine(`${among}, beside dead ones that are failing`, withFailing / alone, '', CROWD_TIMES_MAX, 2),
    aimLine(`${among}, beside dead ones that are new`, withNew / alone, '', CROWD_TIMES_MAX, 2),
    `  ${number(alone, 1)} s alone, ${number(withFailing, 1)} s and ${number(withNew, 1)} s with the dead`,
    aimLine('what its event costs an order, CPU and DB', eventCost.costPercent, ' %', EVENT_COST_PERCENT_MAX, 1),
    `  without ${cost(eventCost.without)}, with ${cost(eventCost.with)}`,
  ]
}

export function reportWebhooks({ webhooks, ...results }: WebhookResults): string {
  return [...conditionLines(results), ...webhookLines(webhooks), ''].join('\n')
}

export function conditionLines({ node, pinned, loadBefore, options }: Omit<WebhookResults, 'webhooks'>): string[] {
  const cores = pinned ? 'service and floor on one core, PostgreSQL and load on another' : 'cores not pinned'
  const busy = `The machine was busy before (load ${number(loadBefore, 1)}): only ratios mean something.`
  return [
    '',
    `Node ${node}, ${options.rounds} rounds of ${options.seconds} s, ${cores}`,
    ...(loadBefore > BUSY ? [busy] : []),
  ]
}

export function report(results: Results): string {
  const lines = [
    '',
    `Node ${results.node}, ${number(results.options.products)} products, ${results.options.connections} connections, ${results.options.rounds} rounds of ${results.options.seconds} s, floor: ${results.options.floor}, ${results.pinned ? 'service and floor on one core, PostgreSQL and load on another' : 'cores not pinned'}`,
    ...(results.loadBefore > BUSY
      ? [`The machine was busy before (load ${number(results.loadBefore, 1)}): only ratios mean something.`]
      : []),
    '',
    casesTable(results.cases),
    '',
    aimLine('idle RSS', results.idleRssMb, ' MB', IDLE_RSS_MB_MAX),
    aimLine('warm start to the first answer', results.warmStartMs, ' ms', WARM_START_MS_MAX),
    `cold start to the first answer: ${number(results.coldStartMs)} ms`,
    ...(results.auth === undefined ? [] : authLines(results.auth)),
    ...(results.large === undefined ? [] : largeLines(results.large)),
    ...(results.growth === undefined ? [] : growthLines(results.growth)),
    ...(results.webhooks === undefined ? [] : webhookLines(results.webhooks)),
    '',
  ]
  return lines.join('\n')
}
