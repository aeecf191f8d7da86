import { type Logger, pino } from 'pino'
import { summarise } from '../errors/error-summary.ts'

export type Log = Logger

export type LogFormat = 'auto' | 'pretty' | 'json'

/** The log of the program on its standard output: lines for people in a terminal, JSON elsewhere. */
export async function createProgramLog(level: string, format: LogFormat, fields?: Fields): Promise<Log> {
  const { stdout } = process
  if (format === 'json' || (format === 'auto' && !stdout.isTTY)) return createLog(level, undefined, fields)
  const [{ createLineWriter }, { styleText }] = await Promise.all([import('./lines.ts'), import('node:util')])
  const writer = createLineWriter(
    (text) => void stdout.write(text),
    // It leaves out the colours where NO_COLOR or the output asks for none.
    (style, text) => styleText(style, text, { stream: stdout }),
  )
  return createLog(level, writer, fields)
}

/** What every line has beside what is logged, such as the trace that it belongs to. */
export type Fields = () => object

/** One line of JSON an event. */
export function createLog(level: string, destination?: { write(line: string): void }, fields?: Fields): Log {
  const serializers = { err: summarise, error: summarise }
  const options = { level, base: null, serializers, ...(fields && { mixin: fields }) }
  return destination === undefined ? pino(options) : pino(options, destination)
}
