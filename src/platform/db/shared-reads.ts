import type { DatabaseConnection, Dialect } from 'kysely'
import type pg from 'pg'
import { connectionTo, pipelined } from './pipeline.ts'

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
  const connections = slots.map((slot) => connectionTo(() => slot.client ?? keep(slot, connect)))

  return pipelined({
    acquireConnection: async () => {
      const index = leastBusy(slots)
      slots[index]!.waiting += 1
      return connections[index] as DatabaseConnection
    },
    releaseConnection: async (connection) => {
      slots[connections.indexOf(connection)]!.waiting -= 1
    },
    destroy: async () => {
      await Promise.all(slots.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
    },
  })
}

function leastBusy(slots: Slot[]): number {
  let best = 0
  for (let index = 1; index < slots.length; index += 1) {
    if (slots[index]!.waiting < slots[best]!.waiting) best = index
  }
  return best
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
