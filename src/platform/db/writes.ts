import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from './database.ts'
import { bind, compile, type NewRow, type Statement, standIn, type Value, type WrittenColumn } from './prepared.ts'
import type { DB } from './types.gen.ts'

/** How a write changes its table. An upsert is an insert that changes the row where there is one. */
export type WriteKind = 'insert' | 'upsert' | 'update' | 'delete'

type Write = Statement<unknown> & {
  number: number
  kind: WriteKind
  table: keyof DB
  /** Everything in its text that may be the name of a table. */
  words: ReadonlySet<string>
}

/** A write that is gathered to be sent together with others. */
type Gathered = { write: Write; parameters: readonly unknown[] }

/** The transactions whose writes are being gathered right now. */
const gatherings = new WeakMap<Tx, Gathered[]>()

/** Writes that leave with the next statement of their transaction, or with its commit. Those of a list are one statement. */
const waiting = new WeakMap<Tx, Gathered[][]>()

/** Statements that were put together, by the numbers of their parts. */
const joined = new Map<string, string>()
const JOINED_MAX = 200
let lastNumber = 0

/**
 * Like prepare, for a statement that only writes: an insert, update or delete that returns nothing and has no `with` of its
 * own. Inside asOneStatement it is sent together with other writes. What it does to which table is checked at its first use.
 */
export function prepareWrite<Values extends readonly Value[]>(
  kind: WriteKind,
  table: keyof DB,
  build: (tx: Tx, ...values: Values) => CompiledQuery<unknown>,
): (tx: Tx, ...values: Values) => Promise<void> {
  let write: Write | undefined
  return async (tx, ...values) => {
    if (write === undefined) {
      const standIns = values.map(standIn)
      const statement = compile(standIns, () => build(tx, ...(standIns as unknown as Values)))
      write = writeOf(kind, table, statement)
    }
    const bound = bind(write, values)
    const gathering = gatherings.get(tx)
    if (gathering === undefined) {
      await tx.executeQuery(bound)
      return
    }
    assertApart(gathering, write)
    gathering.push({ write, parameters: bound.parameters })
  }
}

const BEGINNINGS: Record<WriteKind, string> = {
  insert: 'insert into',
  upsert: 'insert into',
  update: 'update',
  delete: 'delete from',
}

function writeOf(kind: WriteKind, table: keyof DB, statement: Statement<unknown>): Write {
  const { sql } = statement.compiled
  const begins = [table, `"${table}"`].some((name) => sql.startsWith(`${BEGINNINGS[kind]} ${name} `))
  if (!begins || (kind === 'upsert') !== /\bdo update\b/.test(sql))
    throw new Error(`this statement is not the ${kind} of ${table} that it is declared as: ${sql}`)
  lastNumber += 1
  return { ...statement, number: lastNumber, kind, table, words: new Set(sql.match(/\w+/g)) }
}

/** Of two changes of one row in one statement, PostgreSQL does one and does not say so. */
function assertApart(gathering: readonly Gathered[], { kind, table }: Write): void {
  for (const { write } of gathering)
    if (write.table === table && !(write.kind === 'insert' && kind === 'insert'))
      throw new Error(`one statement cannot write ${table} twice, unless both writes only insert`)
}

/** Makes a statement that inserts one row. A table that gets another column does not compile until it is named here. */
export function prepareInsert<Table extends keyof DB>(
  table: Table,
  columns: Record<WrittenColumn<Table>, true>,
): (tx: Tx, row: NewRow<Table>) => Promise<void> {
  const names = Object.keys(columns) as (WrittenColumn<Table> & string)[]
  const insert = prepareWrite('insert', table, (tx: Tx, ...values: Value[]) =>
    sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(values)})`.compile(tx),
  )
  return (tx, row) => insert(tx, ...names.map((name) => row[name] as Value))
}

type Started<Results> = { [Index in keyof Results]: Promise<Results[Index]> | Results[Index] }

/**
 * Makes one statement of the writes that `start` begins before it first waits for anything: each statement of its own
 * costs Node and PostgreSQL about a twentieth of a millisecond. Each sees the database as it was before all of them, so two
 * that write one table are refused, unless both only insert. PostgreSQL runs them in the order in which they are begun. Other
 * statements that `start` begins are sent before it.
 *
 * The statement leaves with the next one of the transaction, or with its commit, which saves a round trip. Writes to other
 * tables that are begun before it leaves become part of it. If it fails, so does the transaction, with its error.
 */
export async function asOneStatement<Results extends readonly unknown[]>(
  tx: Tx,
  start: () => Started<Results>,
): Promise<Results> {
  // Inside another one, the writes are gathered there.
  if (gatherings.has(tx)) return gatheredResults(start())
  const gathering: Gathered[] = []
  gatherings.set(tx, gathering)
  let results: Started<Results>
  try {
    results = start()
  } finally {
    gatherings.delete(tx)
  }
  if (gathering.length > 0) waiting.set(tx, withNext(waiting.get(tx) ?? [], gathering))
  return gatheredResults(results)
}

async function gatheredResults<Results extends readonly unknown[]>(results: Started<Results>): Promise<Results> {
  const all: readonly unknown[] = await Promise.all(results)
  return all as Results
}

/** The statements that have to be sent now, because another one or the commit follows. */
export function takeWaiting(tx: Tx): readonly CompiledQuery[] {
  const lists = waiting.get(tx)
  if (lists === undefined) return []
  waiting.delete(tx)
  return lists.map(joinWrites)
}

/** Writes become part of the statement that waits, unless they write one of its tables or may read one. */
function withNext(lists: readonly Gathered[][], next: Gathered[]): Gathered[][] {
  const last = lists.at(-1)
  const isApart = last?.every(({ write: { table } }) => next.every(({ write: { words } }) => !words.has(table)))
  return last !== undefined && isApart === true ? [...lists.slice(0, -1), [...last, ...next]] : [...lists, next]
}

function joinWrites(writes: readonly Gathered[]): CompiledQuery {
  const [first, ...others] = writes
  if (first === undefined) throw new Error('there are no writes to join')
  const { compiled } = first.write
  if (others.length === 0) return { ...compiled, parameters: first.parameters }
  return { ...compiled, sql: textOf(writes), parameters: writes.flatMap(({ parameters }) => parameters) }
}

/**
 * The first write stands for the whole, and the others are in its `with`. PostgreSQL runs the statement itself first and what
 * is in the `with` from the last to the first, so they are listed backwards and run in the order in which they were begun.
 */
function textOf(writes: readonly Gathered[]): string {
  const key = writes.map(({ write }) => write.number).join()
  const known = joined.get(key)
  if (known !== undefined) return known
  let offset = 0
  const [first, ...others] = writes.map(({ write, parameters }) => {
    const from = offset
    offset += parameters.length
    return write.compiled.sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + from}`)
  })
  const later = others.map((text, index) => `w${index} as (${text})`).reverse()
  const text = `with ${later.join(', ')} ${first}`
  if (joined.size < JOINED_MAX) joined.set(key, text)
  return text
}
