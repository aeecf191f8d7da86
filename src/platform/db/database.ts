import { Writable } from 'node:stream'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { errorCode } from '../errors/error-code.ts'
import { sendTraced } from '../tracing/statements.ts'
import { isTracing } from '../tracing/trace.ts'
import { againWhenStale, createShapes, DescribedQuery, isStale } from './connections/described-query.ts'
import { sharedReads } from './connections/shared-reads.ts'
import { nameQueues, type Queue } from './queues.ts'
import type { DB } from './types.gen.ts'

/** The database for reads. A transaction is one too. */
export type Db = Kysely<DB>

/** The transaction for writes: the compiler refuses a Db where a Tx is required. */
export type Tx = Transaction<DB>

export type Connection = { connectionString: string } | { host: string; user: string; database: string }

/** Above this many different statements a connection stops naming new ones: each costs memory in the server. */
const NAMED_STATEMENTS_MAX = 1000
/** The server ends a statement after a minute; a server that is frozen or has vanished cannot. */
const ANSWER_MS = 65_000
/** How a text begins whose statements may take any time. */
export const WITHOUT_LIMIT = 'set local statement_timeout = 0;'

/** The same for a single statement outside of a transaction, whose connection has lifted the limit of the server. */
export const LONG_STATEMENT = '-- without limit\n'
/** The longest time that a timer can have. */
const LONGEST_MS = 2 ** 31 - 1
const INT8 = 20
const NUMERIC = 1700

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
}

/** What every session is told. A pooler does not pass it on, so that the service can tell one from a server. */
export const SESSION: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  statement_timeout: '60s',
  idle_in_transaction_session_timeout: '60s',
  jit: 'off',
}
export const SESSION_MARK = 'licet.session'
const OPTIONS = Object.entries({ ...SESSION, [SESSION_MARK]: 'on' }).map(([name, value]) => `-c ${name}=${value}`)

/** Wakes the listeners of a channel. */
export const NOTIFY = 'select pg_notify($1, $2)'

let statements = 0

/**
 * How many statements this process has sent, without notifications, which nothing waits for. Tests limit the round trips
 * of routes with it.
 */
export function statementCount(): number {
  return statements
}

/**
 * The stream of a connection is not part of what pg documents. A version that keeps it elsewhere must not start,
 * because without it every statement would silently cost a write of its own.
 */
export function streamOf(client: object): Writable {
  const { connection }: { connection?: { stream?: unknown } } = client
  if (connection?.stream instanceof Writable) return connection.stream
  throw new Error(
    'This version of pg keeps the stream of a connection elsewhere. Install the versions of package-lock.json.',
  )
}

/** How often a table was seen to have got another column while statements on it were kept. */
let schemaChanges = 0

/**
 * Migrations of a newer version change many tables. After the first statement that has failed because of it, every connection
 * gives all of its statements new names, so that none of the others fails.
 */
function onStale(): void {
  schemaChanges += 1
}

function noteStale(error: Error): never {
  if (isStale(error)) onStale()
  throw error
}

/**
 * A client that names its statements by their text, so that PostgreSQL parses and plans each once a connection, and
 * that sends statements without waiting for earlier results (pipeline). A text without parameters is sent as it is: it
 * may contain several statements, as migrations do.
 */
class PreparingClient extends pg.Client {
  #isGathering = false
  readonly #namesMax: number
  readonly #statementNames = new Map<string, string>()
  #lastName = 0
  #schemaChanges = schemaChanges
  readonly #shapes = createShapes()

  constructor({ namesStatements = true, ...options }: ClientOptions) {
    const pipelined = { ...options, pipeline: true }
    super(pipelined)
    this.#namesMax = namesStatements ? NAMED_STATEMENTS_MAX : 0
    streamOf(this)
  }

  /**
   * Statements of the same turn of the event loop leave in one write, because a write costs as much as many a statement. A
   * tick is too short for that: every request that has arrived is read in one of its own.
   */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const stream = streamOf(this)
    stream.cork()
    setImmediate(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  #nameOf(text: string): string | undefined {
    const names = this.#statementNames
    if (this.#schemaChanges !== schemaChanges) {
      names.clear()
      this.#schemaChanges = schemaChanges
    }
    let name = names.get(text)
    if (name === undefined && names.size < this.#namesMax) {
      this.#lastName += 1
      name = `s${this.#lastName}`
      names.set(text, name)
    }
    return name
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares query with a dozen overloads, all of which pass through.
  override query(...args: any[]): any {
    this.#gather()
    if (args[0] !== NOTIFY) statements += 1
    return isTracing() ? sendTraced(args, (...sent) => this.#forward(sent)) : this.#forward(args)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  #forward(args: any[]): unknown {
    const [text, values, ...rest] = args
    const forward = super.query as (...args: unknown[]) => unknown
    // A statement that lifts the server's limit, as migrations do, lifts ours too.
    if (typeof text === 'string' && (text.startsWith(WITHOUT_LIMIT) || text.startsWith(LONG_STATEMENT)))
      return forward.call(this, { text, query_timeout: LONGEST_MS }, ...args.slice(1))
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return forward.apply(this, args)
    const [callback] = rest
    if (typeof callback !== 'function') {
      const send = () => forward.call(this, { name: this.#nameOf(text), text, values }) as Promise<unknown>
      return againWhenStale(() => send().catch(noteStale))
    }
    // A query of our own, because pg copies an object with name, text and values property by property: 11 µs each.
    return forward.call(this, new DescribedQuery(text, values, this.#nameOf(text), this.#shapes, onStale), callback)
  }
}

type ClientOptions = pg.ClientConfig & { namesStatements?: boolean }

export type DatabaseOptions = {
  poolMax: number
  onError?: ((error: Error) => void) | undefined
  answerMs?: number
  name?: string
  /** Behind a pooler a session changes with every transaction, so it cannot be told anything. */
  pooler?: { namesStatements: boolean }
}

export type DatabaseHandle = {
  db: Db
  /** For single statements that change nothing; see sharedReads. */
  reads: Db
  pool: pg.Pool
  close(): Promise<void>
}

const pools = new WeakMap<Db, pg.Pool>()

/** The pool behind a database, from which transactions take their connections. */
export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db)
  if (pool === undefined) throw new Error('transactions belong to the database that has the pool')
  return pool
}

/** Those who wait for a connection of the pool get one in the order in which they asked. */
function queueOf(pool: pg.Pool): Queue {
  let given = 0
  pool.on('acquire', () => {
    given += 1
  })
  return { entered: () => given + pool.waitingCount, left: () => given }
}

/** Opens a pool. Nothing is connected until the first query. */
export function openDatabase(connection: Connection, options: DatabaseOptions): DatabaseHandle {
  const settings: ClientOptions = {
    ...connection,
    application_name: options.name ?? 'licet',
    connectionTimeoutMillis: 10_000,
    query_timeout: options.answerMs ?? ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    ...(options.pooler ?? { options: OPTIONS.join(' ') }),
  }
  const pool = new pg.Pool({
    ...settings,
    Client: PreparingClient,
    max: options.poolMax,
    idleTimeoutMillis: 30_000,
  } as unknown as pg.PoolConfig)
  // A connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', (error) => options.onError?.(error))
  pool.on('connect', (client) => client.on('error', () => {}))
  const connect = async (onBroken: () => void) => {
    const client = new PreparingClient(settings)
    client.once('end', onBroken)
    client.on('error', (error) => {
      onBroken()
      options.onError?.(error)
    })
    await client.connect()
    return client
  }
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  const shared = sharedReads(connect)
  const reads = new Kysely<DB>({ dialect: shared.dialect })
  nameQueues(db, [queueOf(pool)])
  nameQueues(reads, shared.queues)
  const close = async () => {
    await Promise.all([db.destroy(), reads.destroy()])
    // Kysely ends a pool only if it has used it itself; transactions use it without Kysely.
    if (!pool.ending) await pool.end()
  }
  return { db, reads, pool, close }
}

/** Of the network, of a connection that broke while a statement was written, and of a server that starts or stops. */
const AWAY = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** pg gives these errors no code. */
const AWAY_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable/

/** Does this error mean that the database is away, and not that the statement was wrong? */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code !== undefined && (AWAY.has(code) || code.startsWith('08'))) return true
  return AWAY_MESSAGE.test(error.message)
}
