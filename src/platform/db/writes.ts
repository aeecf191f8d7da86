import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from './database.ts'
import { bind, compile, type NewRow, type Statement, standIn, type Value, type WrittenColumn } from './prepared.ts'
import type { DB } from './types.gen.ts'

/** A write that is gathered to be sent together with others. */
type Gathered = { statement: Statement<unknown>; parameters: readonly unknown[] }

/** The transactions whose writes are being gathered right now. */
const gatherings = new WeakMap<Tx, Gathered[]>()

/** Writes that leave with the next statement of their transaction, or with its commit. Those of a list are one statement. */
const waiting = new WeakMap<Tx, Gathered[][]>()

/** Statements that were put together, by the numbers of their parts. */
const joined = new Map<string, string>()
const JOINED_MAX = 200
const numbers = new WeakMap<Statement<unknown>, number>()
let lastNumber = 0

/**
 * Like prepare, for a statement that only writes: an insert, update or delete that returns nothing and has no `with` of its
 * own. Inside asOneStatement it is sent together with other writes.
 */
export function prepareWrite<Values extends readonly Value[]>(
  build: (tx: Tx, ...values: Values) => CompiledQuery<unknown>,
): (tx: Tx, ...values: Values) => Promise<void> {
  let statement: Statement<unknown> | undefined
  return async (tx, ...values) => {
    if (statement === undefined) {
      const standIns = values.map(standIn)
      statement = compile(standIns, () => build(tx, ...(standIns as unknown as Values)))
    }
    const bound = bind(statement, values)
    const gathering = gatherings.get(tx)
    if (gathering === undefined) {
      await tx.executeQuery(bound)
      return
    }
    gathering.push({ statement, parameters: bound.parameters })
  }
}

/** Makes a statement that inserts one row. A table that gets another column does not compile until it is named here. */
export function prepareInsert<Table extends keyof DB>(
  table: Table,
  columns: Record<WrittenColumn<Table>, true>,
): (tx: Tx, row: NewRow<Table>) => Promise<void> {
  const names = Object.keys(columns) as (WrittenColumn<Table> & string)[]
  const insert = prepareWrite((tx: Tx, ...values: Value[]) =>
    sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(values)})`.compile(tx),
  )
  return (tx, row) => insert(tx, ...names.map((name) => row[name] as Value))
}

type Started<Results> = { [Index in keyof Results]: Promise<Results[Index]> | Results[Index] }

/**
 * Makes one statement of the writes that `start` begins before it first waits for anything: each statement of its own
 * costs Node and PostgreSQL about a twentieth of a millisecond. They must write different rows, because each sees the
 * database as it was before all of them. Other statements that `start` begins are sent before it.
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
  return lists.flatMap(joinWrites)
}

/** Writes become part of the statement that waits, unless they need what it has written. */
function withNext(lists: readonly Gathered[][], next: Gathered[]): Gathered[][] {
  const last = lists.at(-1)
  const isApart = last?.every((write) => next.every((later) => !mentions(later.statement, tableOf(write.statement))))
  return last !== undefined && isApart === true ? [...lists.slice(0, -1), [...last, ...next]] : [...lists, next]
}

/** The table that a statement writes. */
function tableOf({ compiled }: Statement<unknown>): string {
  const [, table] = /^\s*(?:insert into|update|delete from)\s+"?(\w+)/.exec(compiled.sql) ?? []
  if (table === undefined) throw new Error(`this statement writes no table: ${compiled.sql}`)
  return table
}

/** Each statement with the words in it. */
const wordsIn = new WeakMap<Statement<unknown>, ReadonlySet<string>>()

function mentions(statement: Statement<unknown>, table: string): boolean {
  let words = wordsIn.get(statement)
  if (words === undefined) {
    words = new Set(statement.compiled.sql.match(/\w+/g))
    wordsIn.set(statement, words)
  }
  return words.has(table)
}

function joinWrites(writes: readonly Gathered[]): CompiledQuery[] {
  const [first, ...others] = writes
  if (first === undefined) return []
  const { compiled } = first.statement
  const parameters = writes.flatMap((write) => write.parameters)
  return [{ ...compiled, sql: others.length === 0 ? compiled.sql : textOf(writes), parameters }]
}

/**
 * The first write stands for the whole, and the others are in its `with`. PostgreSQL runs the statement itself first and what
 * is in the `with` from the last to the first, so they are listed backwards and run in the order in which they were begun.
 */
function textOf(writes: readonly Gathered[]): string {
  const key = writes.map(({ statement }) => numberOf(statement)).join()
  const known = joined.get(key)
  if (known !== undefined) return known
  let offset = 0
  const [first, ...others] = writes.map(({ statement, parameters }) => {
    const from = offset
    offset += parameters.length
    return statement.compiled.sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + from}`)
  })
  const later = others.map((text, index) => `w${index} as (${text})`).reverse()
  const text = `with ${later.join(', ')} ${first}`
  if (joined.size < JOINED_MAX) joined.set(key, text)
  return text
}

function numberOf(statement: Statement<unknown>): number {
  let number = numbers.get(statement)
  if (number === undefined) {
    lastNumber += 1
    number = lastNumber
    numbers.set(statement, number)
  }
  return number
}
