import { loadavg } from 'node:os'
import { type CaseResult, ratioOf } from './figures.ts'
import { isPinning } from './machine.ts'
import type { Options } from './options.ts'

const BUSY = 0.5

export function number(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export function verdict(met: boolean): string {
  return met ? 'ok' : 'MISS'
}

export function table(rows: string[][]): string {
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

/** The machine before the run: other processes make every figure worse. */
export type Conditions = { at: string; node: string; pinned: boolean; loadBefore: number; options: Options }

export function readConditions(options: Options): Conditions {
  const loadBefore = loadavg()[0] ?? 0
  return { at: new Date().toISOString(), node: process.version, pinned: isPinning(), loadBefore, options }
}

export function conditionLines({ node, pinned, loadBefore, options }: Conditions): string[] {
  const { products, connections, rounds, seconds, floor } = options
  const cores = pinned ? 'service and floor on one core, PostgreSQL and load on another' : 'cores not pinned'
  return [
    `Node ${node}, ${number(products)} products, ${connections} connections, ${rounds} rounds of ${seconds} s, floor: ${floor}, ${cores}`,
    ...(loadBefore > BUSY
      ? [`The machine was busy before (load ${number(loadBefore, 1)}): only ratios mean something.`]
      : []),
  ]
}
