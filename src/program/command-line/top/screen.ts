import { localTime } from '../program.ts'
import { table } from '../terminal/table.ts'
import type { Rate } from './requests.ts'

export type Statement = { ms: number; waits_for: string | null; text: string }
export type JobKind = { kind: string; doing: number; due: number; oldest_seconds: number; given_up: number }

/** Everything that `licet top` shows at a time. */
export type Reading = {
  at: Date
  address: string
  /** Absent: no service answers. */
  rates: readonly Rate[] | undefined
  connections: { used: number; most: number }
  statements: readonly Statement[]
  jobs: readonly JobKind[]
  sending: number
  deliveries_waiting: number
  webhooks_failing: number
  events_waiting: number
  mails_waiting: number
}

const ROUTES_MAX = 12
const STATEMENTS_MAX = 8
const KINDS_MAX = 10
/** The columns before a statement. */
const BEFORE_STATEMENT = 26

const one = (value: number) => value.toFixed(1)
const indent = (text: string) => text.replace(/^/gm, '  ')

function inOneLine(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

function requestLines({ rates, address }: Reading): string[] {
  if (rates === undefined) return [`No service answers at ${address}: name one with --url.`]
  const total = rates.reduce((sum, { per_second }) => sum + per_second, 0)
  const columns = {
    'Per second': ({ per_second }: Rate) => one(per_second),
    'Mean ms': ({ mean_ms }: Rate) => one(mean_ms),
    'Failed per second': ({ failed_per_second }: Rate) => one(failed_per_second),
    Route: ({ route }: Rate) => route,
  }
  return [`Requests: ${one(total)} per second`, indent(table(rates.slice(0, ROUTES_MAX), 'None.', columns))]
}

/** The whole screen. It never has more columns than the terminal, because a line that wraps cannot be redrawn. */
export function screen(reading: Reading, width = 120): string {
  const { at, connections, statements, jobs } = reading
  const busy = jobs.filter(({ doing, due, given_up }) => doing + due + given_up > 0)
  const lines = [
    `${localTime(at)}  database: ${connections.used} of ${connections.most} connections`,
    '',
    ...requestLines(reading),
    '',
    'Statements that are running',
    indent(
      table(statements.slice(0, STATEMENTS_MAX), 'None.', {
        Ms: ({ ms }) => Math.round(ms),
        'Waits for': ({ waits_for }) => waits_for ?? '',
        Statement: ({ text }) => inOneLine(text, Math.max(20, width - BEFORE_STATEMENT)),
      }),
    ),
    '',
    'Jobs',
    indent(
      table(busy.slice(0, KINDS_MAX), 'None.', {
        Doing: ({ doing }) => doing,
        Due: ({ due }) => due,
        'Waiting s': ({ oldest_seconds }) => Math.round(oldest_seconds),
        'Given up': ({ given_up }) => given_up,
        Kind: ({ kind }) => kind,
      }),
    ),
    '',
    `Webhooks: sending to ${reading.sending}, ${reading.deliveries_waiting} deliveries wait, ${reading.webhooks_failing} fail`,
    `Events: ${reading.events_waiting} wait   Emails: ${reading.mails_waiting} wait`,
  ]
  return lines
    .join('\n')
    .split('\n')
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
    .join('\n')
}
