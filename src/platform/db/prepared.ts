import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/** Stands for a value while a statement is built. */
type StandIn = { readonly place: number }

const VALUES_MAX = 64
const STATEMENTS_MAX = 1000
const standIns: readonly StandIn[] = Array.from({ length: VALUES_MAX }, (_, place) => Object.freeze({ place }))
const places = new Map<unknown, number>(standIns.map((standIn) => [standIn, standIn.place]))
const statements = new Map<string, CompiledQuery>()

/**
 * Runs a statement that is built and compiled once per name, because that costs as much as sending it. `build` gets
 * stand-ins in the places of the values and passes them on untouched; what the statement looks like may depend on the
 * name alone.
 */
export async function runPrepared<Row>(
  db: Db,
  name: string,
  values: readonly unknown[],
  build: (...standIns: never[]) => CompiledQuery<Row>,
): Promise<Row[]> {
  if (values.length > VALUES_MAX) throw new RangeError(`${name} has more than ${VALUES_MAX} values`)
  let statement = statements.get(name) as CompiledQuery<Row> | undefined
  if (statement === undefined) {
    statement = build(...(standIns.slice(0, values.length) as never[]))
    if (statements.size < STATEMENTS_MAX) statements.set(name, statement)
  }
  const parameters = statement.parameters.map((parameter) => {
    const place = places.get(parameter)
    return place === undefined ? parameter : values[place]
  })
  const { rows } = await db.executeQuery<Row>({ ...statement, parameters })
  return rows
}
