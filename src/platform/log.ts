import { type Logger, pino } from 'pino'

export type Log = Logger

/** One line of JSON an event. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = { level, base: null, serializers: { err: pino.stdSerializers.err } }
  return destination === undefined ? pino(options) : pino(options, destination)
}
