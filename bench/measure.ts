import type { Case } from './cases.ts'
import type { CaseResult } from './figures.ts'
import type { Order } from './load.ts'
import { cpuMs, familyCpu, familyCpuMs, rssMb } from './machine.ts'
import type { Load } from './processes.ts'
import { verify } from './verify.ts'

export type Target = { pid: number; address: string; token: string; postmaster: number }

export type Sample = {
  perSecond: number
  megabytesPerSecond: number
  p50: number
  p99: number
  /** CPU time of the Node process for one request. */
  cpuMs: number
  /** CPU time of PostgreSQL for one request. */
  databaseMs: number
  rssMb: number
}

/** Long enough for V8 to optimise the functions. */
const WARM_UP_SECONDS = 2
/**
 * On a busy machine, some seconds are few requests for a whole shop. The first ones take up to four times the CPU, until the
 * space for new objects has grown, too; the floor holds hardly any.
 */
const WARM_UP_REQUESTS = 40
const SMOKE_REQUESTS = 3

/** How long a case is measured. A smoke run sends a few requests and judges no time. */
export type Pace = { seconds: number; connections: number; smoke: boolean }

export async function measure(
  load: Load,
  target: Target,
  { title, requests, connectionsMax }: Pick<Case, 'title' | 'requests' | 'connectionsMax'>,
  { seconds, connections, smoke }: Pace,
): Promise<Sample> {
  const order = {
    url: target.address,
    token: target.token,
    connections: smoke ? 1 : Math.min(connections, connectionsMax),
    requests,
  }
  if (!smoke) await warmUp(load, order)
  const [cpuBefore, databaseBefore] = [cpuMs(target.pid), familyCpu(target.postmaster)]
  const result = await load({ ...order, ...(smoke ? { amount: SMOKE_REQUESTS } : { seconds }) })
  const cpu = cpuMs(target.pid) - cpuBefore
  const database = familyCpuMs(databaseBefore, familyCpu(target.postmaster))
  if (result.failed > 0 || result.requests === 0)
    throw new Error(`${title}: ${result.failed} requests failed, ${result.requests} were answered`)
  return {
    perSecond: result.perSecond,
    megabytesPerSecond: result.megabytesPerSecond,
    p50: result.p50,
    p99: result.p99,
    cpuMs: cpu / result.requests,
    databaseMs: database / result.requests,
    rssMb: rssMb(target.pid),
  }
}

export async function warmUp(load: Load, order: Omit<Order, 'seconds' | 'amount'>): Promise<void> {
  const { requests } = await load({ ...order, seconds: WARM_UP_SECONDS })
  const missing = WARM_UP_REQUESTS - requests
  if (missing > 0) await load({ ...order, amount: Math.max(missing, order.connections) })
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2
}

/** The value that a share of the values does not exceed. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}

export function medianSample(samples: Sample[]): Sample {
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]))
  return {
    perSecond: of('perSecond'),
    megabytesPerSecond: of('megabytesPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMs: of('cpuMs'),
    databaseMs: of('databaseMs'),
    rssMb: of('rssMb'),
  }
}

export type Pair = { first: Sample; second: Sample; rounds: { first: Sample; second: Sample }[] }

/** Measures two targets in turn: a machine that slows down for a while slows both. */
export async function measureInTurn(
  rounds: number,
  first: () => Promise<Sample>,
  second: () => Promise<Sample>,
): Promise<Pair> {
  const samples: Pair['rounds'] = []
  for (let round = 0; round < rounds; round += 1) samples.push({ first: await first(), second: await second() })
  return {
    first: medianSample(samples.map((sample) => sample.first)),
    second: medianSample(samples.map((sample) => sample.second)),
    rounds: samples,
  }
}

/** Compares the answers of floor and service to every case, then measures the cases in turn. */
export async function measureCases(
  load: Load,
  { service, floor }: { service: Target; floor: Target },
  cases: readonly Case[],
  options: Pace & { rounds: number },
): Promise<CaseResult[]> {
  const compared = await verify(service, floor, cases)
  console.log(
    `Floor and service gave the same answers to ${[...compared.values()].reduce((a, b) => a + b, 0)} requests.`,
  )
  const results: CaseResult[] = []
  for (const chosen of cases) {
    const { name, title, aim } = chosen
    console.log(`Measuring ${title} …`)
    const pair = await measureInTurn(
      options.rounds,
      () => measure(load, floor, chosen, options),
      () => measure(load, service, chosen, options),
    )
    results.push({
      case: { name, title, ...(aim === undefined ? {} : { aim }) },
      floor: pair.first,
      service: pair.second,
      compared: compared.get(name) ?? 0,
    })
  }
  return results
}
