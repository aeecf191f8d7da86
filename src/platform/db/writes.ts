import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from './database.ts'
import { bind, compile, type NewRow, type Statement, standIn, type Value } from './prepared.ts'
import type { DB } from './types.gen.ts'

/** A write that is gathered to be sent together with others. */
type Gathered = { statement: Statement<unknown>; parameters: readonly unknown[] }

type Gathering = { writes: Gathered[]; sent: Promise<void> }

/** The transactions whose writes are being gathered right now. */
const gatherings = new WeakMap<Tx, Gathering>()

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
    gathering.writes.push({ statement, parameters: bound.parameters })
    await gathering.sent
  }
}

/** Makes a statement that inserts one row. A table that gets another column does not compile until it is named here. */
export function prepareInsert<Table extends keyof DB>(
  table: Table,
  columns: Record<keyof DB[Table], true>,
): (tx: Tx, row: NewRow<Table>) => Promise<void> {
  const names = Object.keys(columns) as (keyof DB[Table] & string)[]
  const insert = prepareWrite((tx: Tx, ...values: Value[]) =>
    sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(values)})`.compile(tx),
  )
  return (tx, row) => insert(tx, ...names.map((name) => row[name] as Value))
}

/**
 * Sends the writes that `start` begins, before it first waits for anything, as one statement: each statement of its own
 * costs Node and PostgreSQL about a twentieth of a millisecond. They must write different rows, because each sees the
 * database as it was before all of them. Other statements that `start` begins are sent before it.
 */
export async function asOneStatement<Results extends readonly unknown[]>(
  tx: Tx,
  start: () => { [Index in keyof Results]: Promise<Results[Index]> | Results[Index] },
): Promise<Results> {
  const sent = Promise.withResolvers<void>()
  const gathering: Gathering = { writes: [], sent: sent.promise }
  gatherings.set(tx, gathering)
  let results: { [Index in keyof Results]: Promise<Results[Index]> | Results[Index] }
  try {
    results = start()
  } finally {
    gatherings.delete(tx)
  }
  send(tx, gathering.writes).then(() => sent.resolve(), sent.reject)
  const [all] = await Promise.all([Promise.all(results), sent.promise])
  return all as unknown as Results
}

async function send(tx: Tx, writes: readonly Gathered[]): Promise<void> {
  const [first, ...others] = writes
  if (first === undefined) return
  const { compiled } = first.statement
  const parameters = writes.flatMap((write) => write.parameters)
  const query = { ...compiled, sql: others.length === 0 ? compiled.sql : textOf(writes), parameters }
  await tx.executeQuery(query)
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
