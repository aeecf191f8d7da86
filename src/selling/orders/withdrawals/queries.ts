import type { Db } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'
import { getOrderDocument, readOrders } from '../queries.ts'
import { awaitsGateway, heldUntil } from '../rules.ts'
import type { OrderState } from '../state.ts'
import type { Declaration, WithdrawalState } from './state.ts'

/** More declarations than anybody makes for one order; the limits of the form allow a few a day. */
const LISTED_MAX = 500

/** Every read of withdrawals starts here, so none can forget the company. */
function withdrawalsOf(db: Db, companyId: number) {
  return db.selectFrom('withdrawals').where('withdrawals.company_id', '=', companyId)
}

/** The declarations about an order, oldest first. */
export async function readWithdrawals(db: Db, companyId: number, ref: string): Promise<WithdrawalState[]> {
  await getOrderDocument(db, companyId, ref)
  return withdrawalsOf(db, companyId)
    .select(['id', 'order_id', 'email', 'goods', 'reason', 'received_at'])
    .where('order_id', '=', Number(ref))
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute()
}

/** The declarations about some orders, oldest first. */
export function readWithdrawalsOfOrders(
  db: Db,
  companyId: number,
  orderIds: readonly number[],
): Promise<WithdrawalState[]> {
  return withdrawalsOf(db, companyId)
    .select(['id', 'order_id', 'email', 'goods', 'reason', 'received_at'])
    .where('order_id', '=', anyOf(orderIds))
    .orderBy('id')
    .execute()
}

/** Until when the content of an order is held that its customer may start earlier. Who has withdrawn may not. */
export async function findHold(db: Db, order: OrderState, now: Date): Promise<Date | undefined> {
  const day = heldUntil(order, now)
  if (day === undefined) return undefined
  const declared = await readWithdrawalsOfOrders(db, order.company_id, [order.id])
  return declared.length === 0 ? day : undefined
}

/** The order that a declaration is about; undefined if no order of the company has this number and this address. */
export async function findDeclaredOrder(
  db: Db,
  companyId: number,
  { order: typed, email }: Declaration,
): Promise<OrderState | undefined> {
  const [, id] = /^#?\s{0,3}(\d{1,15})$/.exec(typed.trim()) ?? []
  const [order] = id === undefined ? [] : await readOrders(db, companyId, [Number(id)])
  if (order === undefined || awaitsGateway(order)) return undefined
  return order.email.toLowerCase() === email.toLowerCase() ? order : undefined
}
