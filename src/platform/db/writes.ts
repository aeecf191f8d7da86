import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from './database.ts'
import { bind, compile, type NewRow, type Statement, standIn, type Value, type WrittenColumn } from './prepared.ts'
import type { DB } from './types.gen.ts'

/** A write that is gathered to be sent together with others. */
type Gathered = { statement: Statement<unknown>; parameters: readonly unknown[] }

/** The transactions whose writes are being gathered right now. */
const gatherings = new WeakMap<Tx, Gathered[]>()

/** Statements that leave with the next one of their transaction, or with its commit. */
const waiting = new WeakMap<Tx, CompiledQuery[]>()

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

/**
 * Makes one statement of the writes that `start` begins before it first waits for anything: each statement of its own
 * costs Node and PostgreSQL about a twentieth of a millisecond. They must write different rows, because each sees the
 * database as it was before all of them. Other statements that `start` begins are sent before it.
 *
 * The statement leaves with the next one of the transaction, or with its commit, which saves a round trip. If it fails,
 * so does the transaction, with its error.
 */
export async function asOneStatement<Results extends readonly unknown[]>(
  tx: Tx,
  start: () => { [Index in keyof Results]: Promise<Results[Index]> | Results[Index] },
): Promise<Results> {
  const gathering: Gathered[] = []
  gatherings.set(tx, gathering)
  let results: { [Index in keyof Results]: Promise<Results[Index]> | Results[Index] }
  try {
    results = start()
  } finally {
    gatherings.delete(tx)
  }
  const query = joinWrites(gathering)
  if (query !== undefined) waiting.set(tx, [...(waiting.get(tx) ?? []), query])
  const all: readonly unknown[] = await Promise.all(results)
  return all as Results
}

/** The statements that have to be sent now, because another one or the commit follows. */
export function takeWaiting(tx: Tx): readonly CompiledQuery[] {
  const queries = waiting.get(tx)
  if (queries === undefined) return []
  waiting.delete(tx)
  return queries
}

function joinWrites(writes: readonly Gathered[]): CompiledQuery | undefined {
  const [first, ...others] = writes
  if (first === undefined) return undefined
  const { compiled } = first.statement
  const parameters = writes.flatMap((write) => write.parameters)
  return { ...compiled, sql: others.length === 0 ? compiled.sql : textOf(writes), parameters }
}

/** `with` and all but the last write, which stands for the whole; the numbers of its parameters go on from part to part. */
function textOf(writes: readonly Gathered[]): string {
  const key = writes.map(({ statement }) => numberOf(statement)).join()
  const known = joined.get(key)
  if (known !== undefined) return known
  let offset = 0
  const texts = writes.map(({ statement, parameters }) => {
    const from = offset
    offset += parameters.length
    return statement.compiled.sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + from}`)
  })
  const before = texts.slice(0, -1).map((text, index) => `w${index} as (${text})`)
  const text = `with ${before.join(', ')} ${texts.at(-1)}`
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
