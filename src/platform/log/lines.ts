import type { ErrorSummary } from '../errors/error-summary.ts'

/** Readable lines for a terminal, made from the JSON lines of the log. */

type Style = (format: 'yellow' | 'red' | 'dim', text: string) => string

type Entry = {
  time: number
  level: number
  msg?: string
  reqId?: string
  req?: { method: string; url: string }
  res?: { status: number }
  ms?: number
  err?: ErrorSummary
  error?: ErrorSummary
}

const WARN = 40
const ERROR = 50

/** Fields that a line shows in a place of their own, or not at all: the address of a client is noise on a desk. */
const SHOWN_ELSEWHERE = new Set([
  'time',
  'level',
  'msg',
  'reqId',
  'req',
  'res',
  'ms',
  'err',
  'error',
  'trace_id',
  'span_id',
])

/** The stack stands below the message, after the time. */
const INDENT = ' '.repeat(10)

/** Writes each line of a log in words. Whatever is no such line is passed on as it is. */
export function createLineWriter(write: (text: string) => void, style: Style): { write(line: string): void } {
  return {
    write(line) {
      const entry = parse(line)
      write(entry === undefined ? line : `${inWords(entry, style)}\n`)
    },
  }
}

function parse(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'time' in value && 'level' in value
}

function inWords(entry: Entry, style: Style): string {
  const parts = [localTime(entry.time), level(entry.level, style), message(entry)]
  const error = entry.err ?? entry.error
  // An expected failure is a warning, and its sentence says enough. The stack of a defect leads to it.
  const stack = error === undefined || entry.level < ERROR ? [] : stackLines(error).map((line) => style('dim', line))
  return [parts.filter((part) => part !== '').join('  '), ...stack].join('\n')
}

function localTime(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

function level(number: number, style: Style): string {
  if (number < WARN) return ''
  return number < ERROR ? style('yellow', 'warning') : style('red', 'error')
}

function message({ msg = '', req, res, ms, reqId, level, ...rest }: Entry): string {
  if (req !== undefined && res !== undefined)
    return plain(`${req.method} ${req.url} ${res.status}${ms === undefined ? '' : ` ${ms} ms`}`)
  const details = Object.entries(rest)
    .filter(([name]) => !SHOWN_ELSEWHERE.has(name))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  if (reqId !== undefined && level >= WARN) details.push(`request ${reqId}`)
  const error = rest.err ?? rest.error
  const sentence = error === undefined ? '' : `: ${sentences(error).join(': ')}`
  return plain(`${msg}${details.length === 0 ? '' : ` (${details.join(', ')})`}${sentence}`)
}

function sentences({ type, message, cause }: ErrorSummary): string[] {
  return [message || type, ...(cause === undefined ? [] : sentences(cause))]
}

/** The frames of an error and of its causes, without the first line, which repeats the message. */
function stackLines({ stack = '', cause }: ErrorSummary): string[] {
  const frames = stack.split('\n').filter((line) => line.trimStart().startsWith('at '))
  const below = frames.map((frame) => `${INDENT}${plain(frame.trim())}`)
  if (cause === undefined) return below
  return [...below, `${INDENT}caused by ${plain(`${cause.type}: ${cause.message}`)}`, ...stackLines(cause)]
}

/** Text from outside must not move the cursor or set colours. */
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
