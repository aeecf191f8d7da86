import { sql } from 'kysely'
import type { Tx } from './database.ts'
import type { Value, WrittenColumn } from './prepared.ts'
import type { DB } from './types.gen.ts'
import { prepareWrite } from './writes.ts'

/** PostgreSQL takes a third of the time of an insert to read its rows from JSON. Each number of rows is a statement of its own. */
const FEW = 8

type Write = (tx: Tx, ...values: Value[]) => Promise<void>

/**
 * Makes a write that inserts any number of rows. The database gives its default to a column that is marked as false. A table
 * that gets another column does not compile until it is named here.
 */
export function prepareInsertRows<Table extends keyof DB>(
  table: Table,
  columns: Record<WrittenColumn<Table>, boolean>,
): (tx: Tx, rows: readonly Readonly<Record<WrittenColumn<Table>, unknown>>[]) => Promise<void> {
  const all = Object.keys(columns) as (WrittenColumn<Table> & string)[]
  const names = all.filter((name) => columns[name])
  const [into, list] = [sql.table(table), sql.join(names.map((name) => sql.ref(name)))]
  const many = prepareWrite('insert', table, (tx: Tx, rows: string) =>
    sql`insert into ${into} (${list})
      select ${list} from json_populate_recordset(null::${into}, ${rows}::json)`.compile(tx),
  )
  const few = Array.from(
    { length: FEW + 1 },
    (_, count): Write =>
      prepareWrite('insert', table, (tx: Tx, ...values: Value[]) => {
        const rows = Array.from({ length: count }, (_, row) =>
          values.slice(row * names.length, (row + 1) * names.length),
        )
        return sql`insert into ${into} (${list}) values ${sql.join(rows.map((row) => sql`(${sql.join(row)})`))}`.compile(
          tx,
        )
      }),
  )
  return async (tx, rows) => {
    const insert = few[rows.length]
    if (insert === undefined) await many(tx, JSON.stringify(rows))
    else if (rows.length > 0) await insert(tx, ...rows.flatMap((row) => names.map((name) => parameter(row[name]))))
  }
}

/** Objects and lists are stored as JSON. */
function parameter(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null || value === undefined) return null
  return value instanceof Date ? value : JSON.stringify(value)
}
