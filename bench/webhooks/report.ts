import { aimLine, number, table, verdict } from '../report.ts'
import type { Webhooks } from './section.ts'

const DELIVERIES_RATIO_MIN = 0.45
const DELIVERIES_PER_SECOND_MIN = 1000
const LATENCY_MS_MAX = 50
const CROWD_TIMES_MAX = 1.2
const EVENT_COST_PERCENT_MAX = 3

export function webhookLines({ throughput, latency, crowd, eventCost }: Webhooks): string[] {
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
  const cost = ({ cpuMs, databaseMs }: { cpuMs: number; databaseMs: number }) =>
    `${number(cpuMs, 3)} + ${number(databaseMs, 3)} ms`
  const times = (sent: typeof alone) => sent.seconds / alone.seconds
  const parts = (sent: typeof alone) => `${number(sent.seconds, 1)} s (${cost(sent)} each)`
  return [
    table([head, ...rows]),
    aimLine('from a change to its arrival, median', latency.p50, ' ms', LATENCY_MS_MAX, 1),
    aimLine('from a change to its arrival, p99', latency.p99, ' ms', LATENCY_MS_MAX, 1),
    aimLine(`${among}, beside dead ones that are failing`, times(withFailing), '', CROWD_TIMES_MAX, 2),
    aimLine(`${among}, beside dead ones that are new`, times(withNew), '', CROWD_TIMES_MAX, 2),
    `  ${parts(alone)} alone, ${parts(withFailing)} beside failing, ${parts(withNew)} beside new; CPU of the worker and PostgreSQL`,
    aimLine('what its event costs an order, CPU and DB', eventCost.costPercent, ' %', EVENT_COST_PERCENT_MAX, 1),
    `  without ${cost(eventCost.without)}, with ${cost(eventCost.with)}`,
  ]
}
