import { type Logger, pino } from 'pino'
import { summarise } from './error-summary.ts'

export type Log = Logger

/** One line of JSON an event. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = { level, base: null, serializers: { err: summarise, error: summarise } }
  return destination === undefined ? pino(options) : pino(options, destination)
}
