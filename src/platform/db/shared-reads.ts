import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'

/** Measured best among 1, 3, 4 and 10: enough that a slow statement holds up few others. */
const CONNECTIONS = 4

/** Opens a connection, and says so when it is broken, be that before it was ever used. */
export type Connect = (onBroken: () => void) => Promise<pg.Client>

type Slot = { client: Promise<pg.Client> | undefined; waiting: number }

/**
 * Reads share a few connections: a statement goes out without waiting for the answers of those before it, and many
 * travel in one write. That halves what a short read costs beside taking a connection from a pool for each. Every
 * statement stands alone here; transactions belong to the pool.
 */
export function sharedReads(connect: Connect): Dialect {
  const slots: Slot[] = Array.from({ length: CONNECTIONS }, () => ({ client: undefined, waiting: 0 }))
  const connections = slots.map((slot) => connectionOf(slot, connect))

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      const index = leastBusy(slots)
      slots[index]!.waiting += 1
      return connections[index] as DatabaseConnection
    },
    releaseConnection: async (connection) => {
      slots[connections.indexOf(connection)]!.waiting -= 1
    },
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {
      await Promise.all(slots.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
    },
  }
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

async function refuse(): Promise<void> {
  throw new Error('connections for reads are shared and know no transactions')
}

function leastBusy(slots: Slot[]): number {
  let best = 0
  for (let index = 1; index < slots.length; index += 1) {
    if (slots[index]!.waiting < slots[best]!.waiting) best = index
  }
  return best
}

function connectionOf(slot: Slot, connect: Connect): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const client = slot.client ?? keep(slot, connect)
      return send<Row>(await client, sql, parameters as unknown[])
    },
    streamQuery() {
      throw new Error('connections for reads are shared and know no cursors')
    },
  }
}

function send<Row>(client: pg.Client, text: string, values: unknown[]): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    client.query(text, values, (error, result) => {
      if (error) reject(error)
      else resolve({ rows: result.rows })
    })
  })
}

/** A connection that breaks is forgotten, and the next read makes a new one; what replaced it meanwhile stays. */
function keep(slot: Slot, connect: Connect): Promise<pg.Client> {
  const client = connect(() => {
    if (slot.client === client) slot.client = undefined
  })
  slot.client = client
  client.catch(() => {
    if (slot.client === client) slot.client = undefined
  })
  return client
}
