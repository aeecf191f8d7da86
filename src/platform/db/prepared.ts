import type { CompiledQuery, InsertType } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './types.gen.ts'

/** A parameter of a statement. Objects are passed as the JSON text that they are stored as. */
export type Value = string | number | boolean | Date | Buffer | null | readonly (string | number | Date | null)[]

/** Values by name, of which some may be left out. */
export type Given = { readonly [name: string]: Value | undefined }

/** How many statements of one family are kept; any other is compiled at each use. */
const FAMILY_MAX = 200

/** For each parameter of the compiled statement the place of its value; -1 marks a constant of the statement. */
export type Statement<Row> = { compiled: CompiledQuery<Row>; places: readonly number[] }

/** Stands for a value while a statement is built. */
export function standIn(): object {
  return Object.freeze({
    [Symbol.toPrimitive]() {
      throw new TypeError('a prepared statement is built once for all values, so it cannot compute with one of them')
    },
  })
}

export function compile<Row>(standIns: readonly unknown[], build: () => CompiledQuery<Row>): Statement<Row> {
  const compiled = build()
  const places = compiled.parameters.map((parameter) => standIns.indexOf(parameter))
  const unused = standIns.findIndex((_, place) => !places.includes(place))
  if (unused >= 0) throw new Error(`value ${unused + 1} is missing in the prepared statement: ${compiled.sql}`)
  return { compiled, places }
}

export function bind<Row>({ compiled, places }: Statement<Row>, values: readonly unknown[]): CompiledQuery<Row> {
  const parameters = compiled.parameters.map((constant, index) => {
    const place = places[index]
    return place === undefined || place < 0 ? constant : values[place]
  })
  return { ...compiled, parameters }
}

/**
 * Makes a statement that is built and compiled at its first use and kept, because that costs as much as sending it.
 * Keep the result in a constant of the module. `build` gets stand-ins in the places of the values and passes them on
 * untouched: the statement looks the same for all values.
 */
export function prepare<Source extends Db, Values extends readonly Value[], Row>(
  build: (db: Source, ...values: Values) => CompiledQuery<Row>,
): (db: Source, ...values: Values) => Promise<Row[]> {
  let statement: Statement<Row> | undefined
  return async (db, ...values) => {
    if (statement === undefined) {
      const standIns = values.map(standIn)
      statement = compile(standIns, () => build(db, ...(standIns as unknown as Values)))
    }
    return (await db.executeQuery(bind(statement, values))).rows
  }
}

/**
 * Like prepare, for a statement that depends on which values are given, as a list depends on its filters. A statement
 * is kept for every set of names. True and false may decide what it looks like: they are no stand-ins, and each has a
 * statement of its own. Further values are always there.
 */
export function prepareFamily<Source extends Db, Names extends Given, Values extends readonly Value[], Row>(
  build: (db: Source, given: Names, ...values: Values) => CompiledQuery<Row>,
): (db: Source, given: Names, ...values: Values) => Promise<Row[]> {
  const family = new Map<string, Statement<Row>>()
  return async (db, given, ...values) => {
    const entries = Object.entries(given).filter(([, value]) => value !== undefined)
    const shape = entries.map(([name, value]) => (typeof value === 'boolean' ? `${name}=${value}` : name)).join()
    const bound = entries.filter(([, value]) => typeof value !== 'boolean')
    let statement = family.get(shape)
    if (statement === undefined) {
      const named = new Map(bound.map(([name]) => [name, standIn()]))
      const shown = Object.fromEntries(entries.map(([name, value]) => [name, named.get(name) ?? value]))
      const others = values.map(standIn)
      statement = compile([...named.values(), ...others], () =>
        build(db, shown as unknown as Names, ...(others as unknown as Values)),
      )
      if (family.size < FAMILY_MAX) family.set(shape, statement)
    }
    const parameters = [...bound.map(([, value]) => value), ...values]
    return (await db.executeQuery(bind(statement, parameters))).rows
  }
}

/** The columns that are written; the database works out the others. */
export type WrittenColumn<Table extends keyof DB> = {
  [Column in keyof DB[Table]]: [Exclude<InsertType<DB[Table][Column]>, undefined>] extends [never] ? never : Column
}[keyof DB[Table]]

export type NewRow<Table extends keyof DB> = {
  [Column in WrittenColumn<Table>]: Exclude<InsertType<DB[Table][Column]>, undefined>
}
