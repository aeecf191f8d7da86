import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Log } from '#platform/log/log.ts'
import { addChangesToDays, countAbandonedCart, deleteOldCarts } from './commands.ts'
import { FIRST_PLACE, listLeftCarts, type Place } from './queries.ts'
import { abandonedBefore } from './rules.ts'
import type { LeftCart } from './state.ts'
import { valueCart } from './value.queries.ts'

const BATCH = 100
const CHANGES_AT_ONCE = 1000
const DELETED_AT_ONCE = 1000

/** Counts the carts that were left, each in a transaction of its own, and adds the changes to the days. */
export async function countLeftCarts(db: Db, now: Date, log: Log, only?: number): Promise<void> {
  const before = abandonedBefore(now)
  let after: Place | undefined = FIRST_PLACE
  while (after !== undefined) {
    const carts: LeftCart[] = await listLeftCarts(db, before, after, BATCH, only)
    for (const cart of carts) await countLeftCart(db, cart, now, log)
    after = carts.at(-1)
  }
  await inBatches(db, CHANGES_AT_ONCE, addChangesToDays)
}

/** One cart that cannot be valued must not keep the others from being counted. */
async function countLeftCart(db: Db, cart: LeftCart, now: Date, log: Log): Promise<void> {
  try {
    const record = await valueCart(db, cart, now)
    await inTransaction(db, (tx) => countAbandonedCart(tx, cart, record, now))
  } catch (error) {
    log.error({ err: error, company_id: cart.company_id, cart_id: cart.id }, 'an abandoned cart could not be counted')
  }
}

export async function deleteLeftCarts(db: Db, now: Date): Promise<void> {
  await inBatches(db, DELETED_AT_ONCE, (tx, limit) => deleteOldCarts(tx, now, limit))
}

/** Repeats short transactions until one of them finds less than it may take. */
async function inBatches(db: Db, limit: number, work: (tx: Tx, limit: number) => Promise<number>): Promise<void> {
  let count: number
  do count = await inTransaction(db, (tx) => work(tx, limit))
  while (count === limit)
}
