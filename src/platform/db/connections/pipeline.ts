import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { againWhenStale } from './described-query.ts'

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Sends a statement without waiting for the answers of those before it. */
export function send<Row>(client: pg.ClientBase, text: string, values: unknown[]): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    client.query(text, values, (error, result) => {
      if (error) reject(error)
      else if (CHANGES.has(result.command))
        resolve({ rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) })
      else resolve({ rows: result.rows })
    })
  })
}

async function refuse(): Promise<void> {
  throw new Error('transactions are opened by inTransaction')
}

/** A dialect of Kysely over connections that are not taken for one statement at a time, as its own are. */
export function pipelined(driver: Pick<Driver, 'acquireConnection' | 'releaseConnection' | 'destroy'>): Dialect {
  return {
    createDriver: () => ({
      ...driver,
      init: async () => {},
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
    }),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/**
 * A connection as Kysely sees it; `clientOf` says where a statement goes. A transaction gives an `onFailure`, which is told of the
 * statements that fail, and is then itself what has to be tried again.
 */
export function connectionTo(
  clientOf: () => pg.ClientBase | Promise<pg.ClientBase>,
  onFailure?: (error: unknown) => void,
): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const begun = clientOf()
      const client = begun instanceof Promise ? await begun : begun
      if (onFailure === undefined) return againWhenStale(() => send<Row>(client, sql, parameters as unknown[]))
      const sent = send<Row>(client, sql, parameters as unknown[])
      sent.catch(onFailure)
      return sent
    },
    streamQuery() {
      throw new Error('pipelined connections know no cursors')
    },
  }
}

/**
 * A Kysely over one connection, which sends a statement at the moment in which it is begun. Kysely's own way to a connection
 * takes several microtasks, in which a statement that is begun later could overtake.
 */
export function kyselyOver<Database>(connection: DatabaseConnection): Kysely<Database> {
  const dialect = pipelined({
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => {},
  })
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), {
    provideConnection: (consumer) => consumer(connection),
  })
  return new Kysely({ config: { dialect }, dialect, driver: dialect.createDriver(), executor })
}
