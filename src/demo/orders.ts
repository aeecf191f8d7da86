import { setImmediate as nextTurn } from 'node:timers/promises'
import { ACCOUNTS, type OwnCustomer } from '#customers/queries.ts'
import { insertCustomers } from '#customers/relations.ts'
import { insertOrders } from '#orders/bulk-insert.ts'
import { withSale } from '#orders/buyers/rules.ts'
import { countAllIn } from '#orders/counts/commands.ts'
import { type DayCount, tally } from '#orders/counts/rules.ts'
import { countAllIn as countFulfillmentsIn, insertFulfillments } from '#orders/fulfillments/commands.ts'
import { seenBy } from '#orders/fulfillments/rules.ts'
import type { FulfillmentState } from '#orders/fulfillments/state.ts'
import { ORDERS } from '#orders/queries.ts'
import type { OrderState } from '#orders/state.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { type TakenIds, takeIds } from '#platform/db/ids.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createChance } from './chance.ts'
import { makeCustomer } from './customers.ts'
import { decideFate, type Fate, isRefunded, live } from './fates.ts'
import { makeSale, type Stall } from './sales.ts'

const BATCH = 1000
const SPAN_SECONDS = 2 * 365 * 86_400
const ORDERS_PER_CUSTOMER = 10
const CUSTOMERS_MAX = 100_000
/** Lines, their refunds, a transaction, a shipment, and the address of a new customer. */
const PARTS_MAX = 9
/** After this many orders, pending data can be sent to PostgreSQL. */
const TURN = 25

export type SeedOrdersOptions = {
  orders: number
  seed: number
  now: Date
  onProgress?: (done: number) => void
}

/** A batch of orders, planned so that its ids can be taken. */
type Plan = { from: number; fates: Fate[]; newcomers: number }

type Ids = { orders: number[]; customers: number[]; refunds: number[]; takeId: () => number }

type Batch = { orders: OrderState[]; fulfillments: FulfillmentState[] }

/**
 * Seeds a shop with two years of realistic orders and customers, oldest first; all of them or none.
 * The same seed makes the same orders at the same time, except ids and tokens. No events are emitted.
 */
export async function seedOrders(
  db: Db,
  stall: Stall,
  { orders, seed, now, onProgress }: SeedOrdersOptions,
): Promise<void> {
  const companyId = stall.seller.id
  const history = createHistory(stall, orders, seed, now)
  const plans = history.plan()
  await inTransaction(db, async (tx) => {
    let plan = plans.next()
    let ids = plan.done ? undefined : take(tx, plan.value)
    let storing: Promise<unknown> = Promise.resolve()
    while (!plan.done) {
      const { value } = plan
      const taken = await ids!
      plan = plans.next()
      // Taken before the current batch is stored, so that it need not wait for that.
      ids = plan.done ? undefined : take(tx, plan.value)
      ids?.catch(() => {})
      const batch = await history.make(value, taken)
      await storing
      onProgress?.(value.from)
      storing = Promise.all([
        insertOrders(tx, companyId, batch.orders),
        insertFulfillments(tx, companyId, batch.fulfillments),
      ])
      storing.catch(() => {})
    }
    await storing
    await insertCustomers(tx, companyId, history.customers)
    await countFulfillmentsIn(tx, history.seen)
    await countAllIn(tx, companyId, history.counts.values())
  })
  onProgress?.(orders)
}

async function take(tx: Tx, { fates, newcomers }: Plan): Promise<Ids> {
  const [orders, customers, refunds] = await Promise.all([
    takeIds(tx, ORDERS, fates.length, fates.length * PARTS_MAX),
    takeIds(tx, ACCOUNTS, newcomers, 0),
    takeIds(tx, 'refunds', fates.filter(isRefunded).length, 0),
  ])
  const keys = (taken: TakenIds) => taken.keys
  return { orders: keys(orders), customers: keys(customers), refunds: keys(refunds), takeId: orders.takePartId }
}

/** Two years of a shop, from the beginning. */
function createHistory(stall: Stall, total: number, seed: number, now: Date) {
  const chance = createChance(seed)
  const customers: OwnCustomer[] = []
  const counts = new Map<string, DayCount>()
  /** The number of fulfillments that each company sees. */
  const seen = new Map<number, number>()
  const countries = new Set(stall.linesFor.keys())
  const customersMax = Math.min(Math.ceil(total / ORDERS_PER_CUSTOMER), CUSTOMERS_MAX)
  const start = now.getTime() / 1000 - SPAN_SECONDS
  /** The number of customers after so many orders: new ones come one by one. */
  const customersAfter = (orders: number) => Math.ceil((orders / total) * customersMax)

  function* plan(): Generator<Plan> {
    for (let from = 0; from < total; from += BATCH) {
      const size = Math.min(BATCH, total - from)
      const fates = Array.from({ length: size }, () => decideFate(chance))
      yield { from, fates, newcomers: customersAfter(from + size) - customersAfter(from) }
    }
  }

  async function make({ from, fates }: Plan, ids: Ids): Promise<Batch> {
    const batch: Batch = { orders: [], fulfillments: [] }
    const customerIds = ids.customers.values()
    const refundIds = ids.refunds.values()
    for (const [index, fate] of fates.entries()) {
      if (index % TURN === 0) await nextTurn()
      const at = new Date(
        Math.floor(start + ((from + index + chance.below(1000) / 1000) / total) * SPAN_SECONDS) * 1000,
      )
      const isNew = customers.length < customersAfter(from + index + 1)
      if (isNew) customers.push(newcomer(customerIds.next().value!, ids.takeId, at))
      const customer = isNew ? customers.at(-1)! : chance.pick(customers)
      const sale = makeSale(chance, stall, customer, { id: ids.orders[index]!, takeId: ids.takeId, now: at })
      const given = { refundId: () => refundIds.next().value!, takeId: ids.takeId }
      const { order, fulfillment } = live(chance, sale, fate, given, now)
      if (order.cancelled_at === null) customer.own = withSale(customer.own, order, order.created_at)
      tally(counts, order)
      batch.orders.push(order)
      if (fulfillment === undefined) continue
      batch.fulfillments.push(fulfillment)
      if (!fulfillment.cancelled) for (const id of seenBy(fulfillment)) seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    return batch
  }

  const newcomer = (id: number, takeId: () => number, at: Date) =>
    makeCustomer(chance, stall.seller.id, id, { countries, takeId, now: at })

  return { plan, make, customers, counts, seen }
}
