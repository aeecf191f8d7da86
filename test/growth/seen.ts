import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A statement that the service has sent, with its limits, and the functions that have sent it, the nearest first. */
export type Seen = { text: string; from: string }

type Sent = { text: string; values: readonly unknown[] }

/** What EXPLAIN explains. Whoever sends anything else says how it is done. */
const EXPLAINED = /^\s*(?:--[^\n]*\n\s*)*(?:select|with|insert|update|delete|merge)\b/i

/** The way of every statement, which says nothing about who has sent it. */
const WAY =
  /^(?:test\/growth\/seen|src\/platform\/(?:tracing|db\/(?:connections|database|transaction|prepared|writes)\b))/

/** Programs of the tests, which may ask the database for anything. */
const NOT_SERVED = /^(?:test|bench|fuzz|proof|scripts)\/|\.test\.ts$/

/** Writes that wait for each other leave with the commit: tests begin them through the service's own functions only. */
const SENT_LATER = 'sendWaiting'

/** How often a text is looked up that only tests have sent so far. */
const LOOKUPS_MAX = 5
const FRAMES = 60
const NAMED = 3

/**
 * A connection that has lifted the limit on the time of its statements walks whole tables on purpose: migrations and backups
 * do. Nothing that a request waits for may lift it, so this needs no list of names.
 */
const LIFTS = /statement_timeout\s*=\s*'?0/i
const RESTORES = /^\s*(?:reset statement_timeout|commit|rollback)\b/i

const seen = new Map<string, Seen>()
const taken = new Set<string>()
const lookups = new Map<string, number>()
const unlimited = new WeakSet<object>()
let isRecording = false

/** From now on, every statement that the service sends from this process is remembered, with who has sent it first. */
export function recordStatements(): void {
  if (isRecording) return
  isRecording = true
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    note(this, args[0])
    return Reflect.apply(query, this, args)
  } as typeof query
}

/** How many statements there are so far. */
export function seenCount(): number {
  return seen.size
}

/** The statements that were not taken before, by this process or by another one that runs tests beside it. */
export function takeSeen(): Seen[] {
  const fresh = [...seen].filter(([text]) => !taken.has(text))
  for (const [text] of fresh) taken.add(text)
  return fresh.filter(([text]) => claim(text)).map(([, statement]) => statement)
}

/** The first process to make a folder with the hash of the text has it. */
function claim(text: string): boolean {
  const claims = process.env.LICET_TEST_CLAIMS
  if (claims === undefined) return true
  const name = createHash('sha256').update(text).digest('hex')
  return mkdirSync(join(claims, 'statements', name), { recursive: true }) !== undefined
}

function note(client: pg.Client, sent: unknown): void {
  const { text, values = [] } = (typeof sent === 'string' ? { text: sent } : (sent ?? {})) as Partial<Sent>
  if (typeof text !== 'string' || seen.has(text)) return
  if (LIFTS.test(text)) unlimited.add(client)
  else if (RESTORES.test(text)) unlimited.delete(client)
  if (!EXPLAINED.test(text) || isUnlimited(client)) return
  const times = (lookups.get(text) ?? 0) + 1
  if (times > LOOKUPS_MAX) return
  lookups.set(text, times)
  const from = senderOf(stack())
  if (from !== undefined) seen.set(text, { text: withLimits(text, values), from })
}

/** A plan that does not know a limit takes it for a tenth of all rows. */
function withLimits(text: string, values: readonly unknown[]): string {
  return text.replace(/\b(limit|offset) \$(\d+)\b/g, (all, word: string, number: string) => {
    const value = values[Number(number) - 1]
    return typeof value === 'number' ? `${word} ${value}` : all
  })
}

function isUnlimited(client: pg.Client): boolean {
  const { options = '' } = (client as unknown as { connectionParameters: { options?: string } }).connectionParameters
  return unlimited.has(client) || LIFTS.test(options)
}

function stack(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = FRAMES
  const { stack: text = '' } = new Error('a statement')
  Error.stackTraceLimit = stackTraceLimit
  return text
}

/** The functions of the service that a stack leads through; undefined if it begins in a test. */
export function senderOf(text: string): string | undefined {
  const frames = text.split('\n').flatMap((line) => {
    const [, name = '', url = ''] = /^\s*at (?:async )?(?:(.+) \()?(file:\/\/[^):]+)/.exec(line) ?? []
    const path = url === '' ? '' : relative(ROOT, fileURLToPath(url))
    return path === '' || path.includes('node_modules') || WAY.test(path) ? [] : [{ name, path }]
  })
  const [first] = frames
  if (first === undefined) return 'unknown'
  if (NOT_SERVED.test(first.path)) return text.includes(SENT_LATER) ? 'a transaction' : undefined
  return frames
    .filter(({ path }) => !NOT_SERVED.test(path))
    .slice(0, NAMED)
    .map(({ name, path }) => (name === '' ? path : `${path} ${name}`))
    .join(' < ')
}
