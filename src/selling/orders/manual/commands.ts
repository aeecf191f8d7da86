import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Written } from '#platform/wire/written.ts'
import type { Buyer } from '../buyers/checks.commands.ts'
import { createOrder, prepareSale, writeSale } from '../commands.ts'
import { insertNote } from '../notes/commands.ts'
import { MANUAL, orderName } from '../rules.ts'
import { isGivenAway } from '../sale/draft.rules.ts'
import type { OrderInput } from '../schema.ts'
import type { OrderState } from '../state.ts'

/** Sends the bill of an order. Payments know how, and they know orders. */
export type SendBill = (tx: Tx, order: OrderState, now: Date) => Promise<void>

/** An order of the API or of a user: it is paid, a bill, or free of charge. */
export async function createManualOrder(
  tx: Tx,
  { isUser, ...author }: Author & { isUser: boolean },
  input: OrderInput,
  buyer: Buyer,
  sendBill: SendBill,
  now: Date,
): Promise<Written<OrderState>> {
  const written =
    input.on_account === true
      ? await createBill(tx, author, input, buyer, sendBill, now)
      : await createOrder(tx, author, input, buyer, MANUAL, now)
  const { id } = written.state
  if (isGivenAway(input)) await insertNote(tx, author, id, input.free_reason?.trim() ?? '', now)
  // Apps make many orders, and the orders themselves tell of them.
  if (isUser) await recordChange(tx, author, 'order created', orderName(id), now)
  return written
}

/** The customer can use nothing before it is paid, unless there is nothing to pay. */
async function createBill(
  tx: Tx,
  author: Author,
  input: OrderInput,
  buyer: Buyer,
  sendBill: SendBill,
  now: Date,
): Promise<Written<OrderState>> {
  const sale = await prepareSale(tx, author, input, buyer, MANUAL, now)
  if (sale.pricing.totals.total === 0 || input.test === true) return writeSale(tx, sale, MANUAL, now)
  const bill = { ...sale, input: { ...input, confirmed: false } }
  const written = await writeSale(tx, bill, { ...MANUAL, financial_status: 'pending' }, now)
  await sendBill(tx, written.state, now)
  return written
}
