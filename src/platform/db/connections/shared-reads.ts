import type { DatabaseConnection, Dialect } from 'kysely'
import type pg from 'pg'
import type { Queue } from '../queues.ts'
import { connectionTo, pipelined } from './pipeline.ts'

/** Measured best among 1, 3, 4 and 10: enough that a slow statement delays few others. */
const CONNECTIONS = 4

/** So many statements go to one connection before the next turn of the event loop; further ones go to another. */
const GATHERED_MAX = 8

/** Opens a connection, and calls `onBroken` when it breaks, even before its first use. */
export type Connect = (onBroken: () => void) => Promise<pg.Client>

type Slot = { client: Promise<pg.Client> | undefined; connection: DatabaseConnection; entered: number; left: number }

const waitingIn = ({ entered, left }: Slot): number => entered - left

/**
 * Reads share a few connections: a statement goes out without waiting for the answers of those before it, and many
 * travel in one write. That halves what a short read costs beside taking a connection from a pool for each. Every
 * statement stands alone here; transactions belong to the pool.
 */
export function sharedReads(connect: Connect): { dialect: Dialect; queues: readonly Queue[] } {
  const slots = Array.from({ length: CONNECTIONS }, () => {
    const connection = connectionTo(() => slot.client ?? keep(slot, connect))
    const slot: Slot = { client: undefined, connection, entered: 0, left: 0 }
    return slot
  })

  // Statements of the same turn of the event loop share a connection, and leave it in one write.
  let gathering: { slot: Slot; room: number } | undefined

  function leastBusy(): Slot {
    const slot = slots.reduce((best, other) => (waitingIn(other) < waitingIn(best) ? other : best))
    if (gathering === undefined)
      setImmediate(() => {
        gathering = undefined
      })
    gathering = { slot, room: GATHERED_MAX }
    return slot
  }

  const dialect = pipelined({
    acquireConnection: async () => {
      const slot = gathering !== undefined && gathering.room > 0 ? gathering.slot : leastBusy()
      if (gathering !== undefined) gathering.room -= 1
      slot.entered += 1
      return slot.connection
    },
    releaseConnection: async (connection) => {
      const slot = slots.find((used) => used.connection === connection)
      if (slot !== undefined) slot.left += 1
    },
    destroy: async () => {
      await Promise.all(slots.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
    },
  })
  const queues = slots.map((slot) => ({ entered: () => slot.entered, left: () => slot.left }))
  return { dialect, queues }
}

/** A broken connection is dropped, and the next read makes a new one; a connection that replaced it meanwhile stays. */
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
