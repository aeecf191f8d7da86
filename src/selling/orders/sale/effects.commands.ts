import type { ForSale } from '#catalog/products/sale/state.ts'
import { saveNewTitles } from '#catalog/products/sale/titles.commands.ts'
import {
  keyOf,
  type NewLevel,
  returnStock,
  type StockChange,
  type StockRow,
  saveStock,
  takeStock,
  tellOfStock,
} from '#catalog/products/stock/commands.ts'
import { emit } from '#history/events/emit.commands.ts'
import type { OwnCustomer } from '#people/customers/queries.ts'
import { documentOf, eventData, saveRelations } from '#people/customers/relations.commands.ts'
import { isUnchanged } from '#people/customers/rules.ts'
import type { RelationState } from '#people/customers/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { asOneStatement } from '#platform/db/writes.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { Written } from '#platform/wire/written.ts'
import { grant, revokePieces } from '#rights/entitlements/commands.ts'
import type { NewEntitlement } from '#rights/entitlements/state.ts'
import { addSoldCodes, endSoldCodes } from '#rights/redemption-codes/commands.ts'
import type { SoldCode } from '#rights/redemption-codes/state.ts'
import { countUses } from '#selling/discount-codes/commands.ts'
import type { ShippingMethodState } from '#selling/shipping-methods/state.ts'
import { findLastOrderId } from '../buyers/queries.ts'
import { isCounted, withoutSale, withRefund, withSale } from '../buyers/rules.ts'
import { countIn, recount } from '../counts/commands.ts'
import { openFulfillment, refreshFulfillment } from '../fulfillments/commands.ts'
import { END_OPEN_PAYMENTS, FOLLOW_CANCELLATION } from '../jobs.ts'
import { type ReturnedLine, releaseRental, restockQuantity } from '../lines/rules.ts'
import { confirmByMail, tellOfCancellation, tellOfRefund, warnOfLowStock } from '../mails/commands.ts'
import { FOLLOW_REFUND } from '../refunds/jobs.ts'
import type { RefundState } from '../refunds/state.ts'
import { insertOrder, insertRefund, saveLines, saveOrder } from '../rows.commands.ts'
import { awaitsGateway, isUnpaidBill, wholeDocument } from '../rules.ts'
import type { OrderLineState, OrderState } from '../state.ts'
import { bookBack, bookSale } from './shares.commands.ts'

/**
 * Everything that a sale changes, and how all or a part of it is taken back. An effect is one line in each of the two lists.
 *
 * Everybody locks in the same order, so that a sale, a refund and a cancellation never wait for each other in a circle:
 * discount codes, customer, order, stock, and then whatever the lists below write, from top to bottom. The first three are
 * locked before anything is decided (readSaleContext and takeBuyer for a sale, lockSale for the rest). Statements leave in
 * the order in which they are listed; those of a sale that only write leave as one.
 */

export type Sale = {
  order: OrderState
  customer: OwnCustomer
  /** What the company knows of the customer with this order. */
  learnt: RelationState
  method: ShippingMethodState | undefined
  products: readonly ForSale[]
  /** What the customer may use from now on. */
  rights: readonly NewEntitlement[]
  /** What somebody else may redeem instead. */
  codes: readonly SoldCode[]
}

export async function applySale(
  tx: Tx,
  { order: sold, customer, learnt, method, products, rights, codes }: Sale,
  now: Date,
): Promise<Written<OrderState>> {
  const { lines, levels, low } = await takeGoods(tx, sold, now)
  const order = { ...sold, lines }
  const [document, customerDocument] = await asOneStatement(tx, () => [
    insertOrder(tx, order),
    addToCustomer(tx, customer, learnt, order, now),
    saveNewTitles(tx, order.company_id, products),
    countIn(tx, order),
    tellOfCustomer(tx, customer, learnt, now),
    awaitsGateway(order) ? undefined : tellOfOrder(tx, order, now),
    saveStock(tx, levels, now),
    tellOfStock(tx, levels, now),
    warnOfLowStock(tx, low, now),
    countDiscountCodes(tx, order, 1),
    confirmByMail(tx, order, now),
    bookSale(tx, order, now),
    grant(tx, rights, customer.account.language, now),
    addSoldCodes(tx, order.company_id, codes, now),
    openFulfillment(tx, order, method),
  ])
  return { state: order, document: wholeDocument({ document, customer: customerDocument }) }
}

/** Tells apps of a new order. */
export function tellOfOrder(tx: Tx, { company_id, id }: OrderState, now: Date): Promise<void> {
  return emit(tx, company_id, 'order/create', now, [{ type: 'order', id: String(id) }])
}

/** A sale or a part of it that is taken back. */
export type Reversal = {
  before: OrderState
  after: OrderState
  /** Undefined if the company no longer knows the customer. */
  customer: OwnCustomer | undefined
  lines: readonly ReturnedLine[]
  restock: boolean
  reason: { kind: 'refund'; refund: RefundState } | { kind: 'cancellation' }
}

export async function takeBack(tx: Tx, reversal: Reversal, now: Date): Promise<void> {
  const { before, lines, reason } = reversal
  const returned = await returnGoods(tx, reversal, now)
  const isCancelled = reason.kind === 'cancellation'
  const after = { ...reversal.after, lines: returned.lines.map((line) => releaseRental(line, isCancelled)) }
  const refund = reason.kind === 'refund' ? reason.refund : undefined
  await Promise.all([
    refund && insertRefund(tx, refund),
    saveOrder(tx, after),
    saveLines(tx, after),
    takeFromCustomer(tx, reversal, now),
    recount(tx, before, after),
    reason.kind === 'cancellation' && countDiscountCodes(tx, before, -1),
    tellOfReversal(tx, before, refund, now),
    tellOfStock(tx, returned.levels, now),
    refund && followRefund(tx, refund, now),
    reason.kind === 'cancellation' && followCancellation(tx, before, now),
    bookBack(tx, before, lines, { kind: reason.kind, refundId: refund?.id ?? null }, now),
    refreshFulfillment(tx, after, now),
    revokePieces(tx, before.company_id, before.id, returnedPieces(lines), reason.kind, now),
    endSoldCodes(tx, before.company_id, before.id, returnedPieces(lines), now),
  ])
}

/**
 * The customer hears of money that goes back through a gateway when the gateway has taken it, and hears nothing of the end
 * of an order that was never finished.
 */
async function tellOfReversal(tx: Tx, order: OrderState, refund: RefundState | undefined, now: Date): Promise<void> {
  if (refund === undefined) {
    if (!awaitsGateway(order)) await tellOfCancellation(tx, order, now)
  } else if (refund.status === 'success') await tellOfRefund(tx, order, refund.id, now)
}

/** A line loses the rights of as many pieces as are given back. */
function returnedPieces(lines: readonly ReturnedLine[]): { line_id: number; quantity: number; sold: number }[] {
  return lines.flatMap(({ line, quantity }) =>
    quantity > 0 ? [{ line_id: line.id, quantity, sold: line.quantity }] : [],
  )
}

/** What follows from a refund elsewhere waits for the commit: money goes back, and a credit note is written. */
async function followRefund(tx: Tx, { company_id, order_id, id, amount_cents }: RefundState, now: Date): Promise<void> {
  if (amount_cents === 0) return
  await enqueue(tx, { kind: FOLLOW_REFUND, companyId: company_id, data: { order_id, refund_id: id } }, now)
}

/**
 * A page of a gateway that is still open must not take money any more, even if the order was paid some other way. Nobody
 * refunds a bill that was never paid, so its cancellation is what corrects the invoice.
 */
async function followCancellation(tx: Tx, order: OrderState, now: Date): Promise<void> {
  const kinds = isUnpaidBill(order) ? [END_OPEN_PAYMENTS, FOLLOW_CANCELLATION] : [END_OPEN_PAYMENTS]
  const data = { order_id: order.id }
  await enqueue(
    tx,
    kinds.map((kind) => ({ kind, companyId: order.company_id, data })),
    now,
  )
}

/** The lines of an order after goods have moved, and the stocks that they change. */
type MovedGoods = { lines: OrderLineState[]; levels: readonly NewLevel[] }

/** Takes goods out of stock. They are locked first, because a lack of stock refuses the sale. */
async function takeGoods(
  tx: Tx,
  { test, lines }: OrderState,
  now: Date,
): Promise<MovedGoods & { low: readonly StockRow[] }> {
  const goods = test ? [] : lines.filter(({ kind }) => kind === 'physical')
  if (goods.length === 0) return { lines, levels: [], low: [] }
  const changes = goods.map((line) => stockChange(line, line.quantity))
  const { managed, levels, low } = await takeStock(tx, changes, now)
  const isTaken = (line: OrderLineState) => line.kind === 'physical' && managed.has(keyOf(stockChange(line, 0)))
  return { lines: lines.map((line) => (isTaken(line) ? { ...line, stock_taken: line.quantity } : line)), levels, low }
}

async function returnGoods(tx: Tx, { after, lines, restock }: Reversal, now: Date): Promise<MovedGoods> {
  const returned = new Map(restock ? lines.map((part) => [part.line.id, restockQuantity(part)]) : [])
  const changes = lines.map(({ line }) => stockChange(line, returned.get(line.id) ?? 0))
  const levels = await returnStock(tx, changes, now)
  const left = after.lines.map((line) => ({ ...line, stock_taken: line.stock_taken - (returned.get(line.id) ?? 0) }))
  return { lines: left, levels }
}

/** The stock of a mirrored product is that of its original. */
function stockChange(line: OrderLineState, quantity: number): StockChange {
  return {
    company_id: line.owner_id ?? line.company_id,
    id: line.original_key ?? line.product_key,
    quantity,
    line: line.position,
  }
}

/**
 * Adds the sale to the customer's numbers, unless it is a test, with what the order tells of the customer. Returns the
 * customer's document.
 */
async function addToCustomer(
  tx: Tx,
  { account, own }: OwnCustomer,
  learnt: RelationState,
  order: OrderState,
  now: Date,
): Promise<string> {
  if (order.test && isUnchanged(own, learnt)) return documentOf(account, own)
  const after = order.test ? { ...learnt, updated_at: now } : withSale(learnt, order, now)
  const [document] = await saveRelations(tx, account, [after])
  if (document === undefined) throw new Error(`customer ${account.id} has no document`)
  return document
}

/** New addresses and names are a change of the customer; the numbers of a sale are not. */
async function tellOfCustomer(tx: Tx, { account, own }: OwnCustomer, learnt: RelationState, now: Date): Promise<void> {
  if (!isUnchanged(own, learnt)) await emit(tx, own.company_id, 'customer/update', now, [eventData(account)])
}

async function takeFromCustomer(tx: Tx, { before, customer, reason }: Reversal, now: Date): Promise<void> {
  if (customer === undefined || !isCounted(customer.own, before)) return
  const { account, own } = customer
  if (reason.kind === 'refund') {
    await saveRelations(tx, account, [withRefund(own, reason.refund, now)])
  } else {
    const lastId = await findLastOrderId(tx, before.company_id, before.customer_token, own.created_at)
    await saveRelations(tx, account, [withoutSale(own, before, lastId, now)])
  }
}

async function countDiscountCodes(tx: Tx, { company_id, discount_codes, test }: OrderState, by: 1 | -1): Promise<void> {
  if (test) return
  const ids = discount_codes.map(({ id }) => id)
  await countUses(tx, company_id, ids, by)
}
