import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { startHeld } from '#rights/entitlements/commands.ts'
import { confirmByMail } from '../mails/commands.ts'
import { lockOrder } from '../queries.ts'
import { saveOrder } from '../rows.commands.ts'
import { RECORD_WITHDRAWAL } from './jobs.ts'
import { noticeToOwner, receiptForCustomer } from './mails.ts'
import { findDeclaredOrder, findHold } from './queries.ts'
import type { Declaration } from './state.ts'

/**
 * The customer agrees, later than at the checkout, that the content of an order starts before the withdrawal period ends.
 * The order is confirmed by mail again, because consent has to be confirmed on a durable medium.
 */
export async function startBeforeWithdrawalEnds(
  tx: Tx,
  companyId: number,
  orderId: number,
  text: string,
  now: Date,
): Promise<void> {
  const before = await lockOrder(tx, companyId, String(orderId))
  const day = await findHold(tx, before, now)
  if (day === undefined) return
  const after = { ...before, withdrawal: { consented: true, text, usable_from: null }, updated_at: now }
  await saveOrder(tx, after)
  await startHeld(tx, companyId, orderId, day, now)
  await confirmByMail(tx, after, now)
}

/** A job looks up the order, so that the answer takes the same time whether there is one or not. */
export function declareWithdrawal(tx: Tx, companyId: number, declaration: Declaration, now: Date): Promise<void> {
  return enqueue(tx, { kind: RECORD_WITHDRAWAL, companyId, data: declaration }, now)
}

/**
 * Keeps a declaration with its order and confirms its receipt. One that matches no order goes to the owner alone: a
 * mistyped number does not make it void, but nobody may have the service write to strangers.
 */
export async function recordWithdrawal(
  tx: Tx,
  companyId: number,
  declaration: Declaration,
  baseUrl: string,
  now: Date,
): Promise<void> {
  const { shop_id, goods, reason, received_at, language } = declaration
  const [order, { sender }] = await Promise.all([
    findDeclaredOrder(tx, companyId, declaration),
    readSender(tx, { companyId, shopId: shop_id }, language, baseUrl),
  ])
  if (order !== undefined) {
    const { id: order_id, email } = order
    const row = { company_id: companyId, order_id, email, goods, reason, received_at }
    await tx.insertInto('withdrawals').values(row).execute()
    await queueMail(tx, receiptForCustomer(sender, order, declaration), now)
  }
  const notice = noticeToOwner(sender.company, order, declaration)
  if (notice !== undefined) await queueMail(tx, notice, now)
}
