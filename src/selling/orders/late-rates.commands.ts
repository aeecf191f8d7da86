import { readRates } from '#catalog/currency-rates/queries.ts'
import { convertCents } from '#catalog/currency-rates/rules.ts'
import { getSeller } from '#identity/companies/queries.ts'
import { saveRelations } from '#people/customers/relations.commands.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { isCounted, withRate } from './buyers/rules.ts'
import { recount } from './counts/commands.ts'
import { lockSale, readAwaitingRates } from './queries.ts'
import { saveOrder, saveRefundAmounts } from './rows.commands.ts'
import { nextPart } from './sale/totals.rules.ts'

const BATCH = 100

/** Counts the orders that were waiting for a rate of their currency, and returns how many there were. */
export async function countAwaitingOrders(db: Db, now: Date): Promise<number> {
  let [counted, after] = [0, { company_id: 0, id: 0 }]
  for (;;) {
    const orders = await readAwaitingRates(db, after, BATCH)
    for (const order of orders)
      if (await inTransaction(db, (tx) => countOrder(tx, order.company_id, order.id, now))) counted += 1
    const last = orders.at(-1)
    if (last === undefined) return counted
    after = last
  }
}

async function countOrder(tx: Tx, companyId: number, id: number, now: Date): Promise<boolean> {
  const { order, customer } = await lockSale(tx, companyId, String(id))
  const { currency } = await getSeller(tx, companyId)
  const home_cents = convertCents(order.total_cents, order.currency, currency, await readRates(tx))
  if (home_cents === undefined || !order.awaits_rate) return false
  let refunded = 0
  const refunds = order.refunds.map((refund) => {
    const cents = nextPart(home_cents, refunded, refund.amount_cents, order.total_cents)
    refunded += refund.amount_cents
    return { ...refund, home_cents: cents }
  })
  const home_refunded_cents = refunds.reduce((sum, refund) => sum + refund.home_cents, 0)
  const counted = { ...order, refunds, home_cents, home_refunded_cents, awaits_rate: false }
  await saveRefundAmounts(tx, refunds)
  await saveOrder(tx, counted)
  await recount(tx, order, counted)
  if (customer !== undefined && order.cancelled_at === null && isCounted(customer.own, order))
    await saveRelations(tx, customer.account, [withRate(customer.own, counted, now)])
  return true
}
