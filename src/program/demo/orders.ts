import { setImmediate as nextTurn } from 'node:timers/promises'
import { ACCOUNTS, type OwnCustomer } from '#people/customers/queries.ts'
import { insertCustomers } from '#people/customers/relations.commands.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import { insertOrders } from '#selling/orders/bulk-insert.commands.ts'
import { withSale } from '#selling/orders/buyers/rules.ts'
import { countAllIn } from '#selling/orders/counts/commands.ts'
import { countAllIn as countFulfillmentsIn, insertFulfillments } from '#selling/orders/fulfillments/commands.ts'
import { seenBy } from '#selling/orders/fulfillments/rules.ts'
import type { FulfillmentState } from '#selling/orders/fulfillments/state.ts'
import { ORDERS } from '#selling/orders/queries.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { makeCustomer } from './customers.ts'
import { applyOutcome, decideOutcome, isRefunded, type Outcome } from './outcomes.ts'
import { createRandom } from './random.ts'
import { type Catalog, makeSale } from './sales.ts'
import { createTimeline } from './traffic.ts'

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
type Plan = { from: number; outcomes: Outcome[]; newcomers: number }

type Ids = { orderId: () => number; customerId: () => number; refundId: () => number; takeId: () => number }

type Batch = { orders: OrderState[]; fulfillments: FulfillmentState[] }

/**
 * Seeds a shop with two years of realistic orders and customers, oldest first; all of them or none.
 * The same seed makes the same orders at the same time, except ids and tokens. No events are emitted.
 */
export async function seedOrders(
  db: Db,
  catalog: Catalog,
  { orders, seed, now, onProgress }: SeedOrdersOptions,
): Promise<void> {
  const companyId = catalog.seller.id
  const history = createHistory(catalog, orders, seed, now)
  const plans = history.plan()
  await inTransaction(db, async (tx) => {
    let storing: Promise<unknown> = Promise.resolve()
    let next = prepareBatch(tx, plans)
    while (next !== undefined) {
      const { plan } = next
      const ids = await next.ids
      // The ids of the next batch are taken before this one is stored, so that they need not wait for that.
      next = prepareBatch(tx, plans)
      const batch = await history.make(plan, ids)
      await storing
      onProgress?.(plan.from)
      storing = awaitedLater(
        Promise.all([
          insertOrders(tx, companyId, batch.orders),
          countAllIn(tx, companyId, batch.orders),
          insertFulfillments(tx, companyId, batch.fulfillments),
        ]),
      )
    }
    await storing
    await insertCustomers(tx, companyId, history.customers)
    await countFulfillmentsIn(tx, history.seen)
  })
  onProgress?.(orders)
}

function prepareBatch(tx: Tx, plans: Iterator<Plan, void>): { plan: Plan; ids: Promise<Ids> } | undefined {
  const { done, value: plan } = plans.next()
  if (done) return undefined
  return { plan, ids: awaitedLater(takeBatchIds(tx, plan)) }
}

async function takeBatchIds(tx: Tx, { outcomes, newcomers }: Plan): Promise<Ids> {
  const [orders, customers, refunds] = await Promise.all([
    takeIds(tx, ORDERS, outcomes.length, outcomes.length * PARTS_MAX),
    takeIds(tx, ACCOUNTS, newcomers, 0),
    takeIds(tx, 'refunds', outcomes.filter(isRefunded).length, 0),
  ])
  return {
    orderId: orders.takeRowId,
    customerId: customers.takeRowId,
    refundId: refunds.takeRowId,
    takeId: orders.takePartId,
  }
}

/** Two years of a shop, from the beginning. */
function createHistory(catalog: Catalog, total: number, seed: number, now: Date) {
  const random = createRandom(seed)
  const customers: OwnCustomer[] = []
  /** The number of fulfillments that each company sees. */
  const seen = new Map<number, number>()
  const countries = new Set(catalog.linesFor.keys())
  const customersMax = Math.min(Math.ceil(total / ORDERS_PER_CUSTOMER), CUSTOMERS_MAX)
  const momentOf = createTimeline(new Date(now.getTime() - SPAN_SECONDS * 1000), now)
  /** The number of customers after so many orders: new ones come one by one. */
  const customersAfter = (orders: number) => Math.ceil((orders / total) * customersMax)

  function* plan(): Generator<Plan, void> {
    for (let from = 0; from < total; from += BATCH) {
      const size = Math.min(BATCH, total - from)
      const outcomes = Array.from({ length: size }, () => decideOutcome(random))
      yield { from, outcomes, newcomers: customersAfter(from + size) - customersAfter(from) }
    }
  }

  async function make({ from, outcomes }: Plan, ids: Ids): Promise<Batch> {
    const batch: Batch = { orders: [], fulfillments: [] }
    for (const [index, outcome] of outcomes.entries()) {
      if (index % TURN === 0) await nextTurn()
      const moment = momentOf((from + index + random.below(1000) / 1000) / total)
      const at = new Date(Math.floor(moment.getTime() / 1000) * 1000)
      const isNew = customers.length < customersAfter(from + index + 1)
      const customer = isNew ? newcomer(ids.customerId(), ids.takeId, at) : random.pick(customers)
      if (isNew) customers.push(customer)
      const sale = makeSale(random, catalog, customer, { id: ids.orderId(), takeId: ids.takeId, now: at })
      const { order, fulfillment } = applyOutcome(random, sale, outcome, ids, now)
      if (order.cancelled_at === null) customer.own = withSale(customer.own, order, order.created_at)
      batch.orders.push(order)
      if (fulfillment === undefined) continue
      batch.fulfillments.push(fulfillment)
      if (!fulfillment.cancelled) for (const id of seenBy(fulfillment)) seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    return batch
  }

  const newcomer = (id: number, takeId: () => number, at: Date) =>
    makeCustomer(random, catalog.seller.id, id, { countries, takeId, now: at })

  return { plan, make, customers, seen }
}
