import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareInsertRows } from '#platform/db/row-inserts.ts'
import { prepareInsert } from '#platform/db/writes.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { presentOrder } from './present.ts'
import type { RefundState } from './refunds/state.ts'
import { storedStatus } from './rules.ts'
import type { OrderState } from './state.ts'

/** How orders are stored: a row each with its document, and rows for their lines. */

function columns({ lines: _lines, refunds: _refunds, shipments: _shipments, ...row }: OrderState) {
  return {
    ...row,
    fulfillment_status: storedStatus(row),
    visit: JSON.stringify(row.visit),
    tax_lines: JSON.stringify(row.tax_lines),
    discount_codes: JSON.stringify(row.discount_codes),
    shipping_lines: JSON.stringify(row.shipping_lines),
    shipping_address: row.shipping_address === null ? null : JSON.stringify(row.shipping_address),
    withdrawal: row.withdrawal === null ? null : JSON.stringify(row.withdrawal),
  }
}

export function documentOf(order: OrderState): string {
  return asciiJson(presentOrder(order))
}

const insertRow = prepareInsert('orders', {
  buyer: true,
  awaits_rate: true,
  buyer_accepts_marketing: true,
  cancelled_at: true,
  checkout_id: true,
  checkout_token: true,
  closed_at: true,
  company_id: true,
  confirmed: true,
  country_code: true,
  created_at: true,
  currency: true,
  customer_id: true,
  customer_notification: true,
  customer_token: true,
  discount_cents: true,
  discount_codes: true,
  document: true,
  email: true,
  financial_status: true,
  fulfillment_status: true,
  gateway: true,
  home_cents: true,
  home_refunded_cents: true,
  id: true,
  international: true,
  line_items_cents: true,
  net_cents: true,
  order_number: true,
  po_number: true,
  processed_at: true,
  refunded_cents: true,
  shipping_address: true,
  shipping_lines: true,
  source_name: true,
  subscription_id: true,
  tax_cents: true,
  tax_lines: true,
  taxes_included: true,
  test: true,
  theme_setting_id: true,
  total_cents: true,
  updated_at: true,
  utc_offset: true,
  visit: true,
  vat_id: true,
  reverse_charge: true,
  vat_id_checked_at: true,
  vat_id_request_id: true,
  weight: true,
  withdrawal: true,
})

const insertLines = prepareInsertRows('order_lines', {
  company_id: true,
  id: true,
  order_id: true,
  position: true,
  product_key: true,
  product_id: true,
  product_type: true,
  license_id: true,
  license_title: true,
  hd: true,
  title: true,
  name: true,
  version: true,
  sku: true,
  gtin: true,
  quantity: true,
  grams: true,
  kind: true,
  price_cents: true,
  list_cents: true,
  discount_cents: true,
  net_cents: true,
  tax_cents: true,
  tax_rate: true,
  product_exists: true,
  code: true,
  owner_id: true,
  original_key: true,
  share_percent: true,
  share_cents: true,
  stock_taken: true,
  refunded_quantity: true,
  refunded_cents: true,
  audio_type: true,
  num_users: true,
  chosen_product_id: true,
  rental: true,
  credit_cents: true,
  credited_entitlement_id: true,
})

/** Adds an order with its lines and answers its document. */
export async function insertOrder(tx: Tx, order: OrderState): Promise<string> {
  const document = documentOf(order)
  await Promise.all([insertRow(tx, { ...columns(order), document }), insertLines(tx, order.lines)])
  return document
}

/** Writes an order's own row as it is now and answers its document. */
export async function saveOrder(tx: Tx, order: OrderState): Promise<string> {
  const document = documentOf(order)
  await tx
    .updateTable('orders')
    .set({ ...columns(order), document })
    .where('company_id', '=', order.company_id)
    .where('id', '=', order.id)
    .execute()
  return document
}

export async function insertRefund(tx: Tx, refund: RefundState): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({ ...refund, lines: JSON.stringify(refund.lines) })
    .execute()
}

/** Stores whether the money of a refund was returned. */
export async function saveRefundStatus(tx: Tx, { company_id, id, status }: RefundState): Promise<void> {
  await tx.updateTable('refunds').set({ status }).where('company_id', '=', company_id).where('id', '=', id).execute()
}

/** Stores what refunds are worth in the currency of the company. */
export async function saveRefundAmounts(tx: Tx, refunds: readonly RefundState[]): Promise<void> {
  for (const { company_id, id, home_cents } of refunds)
    await tx
      .updateTable('refunds')
      .set({ home_cents })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
}

/** Stores what refunds, cancellation and stock have changed in the lines of an order. */
export async function saveLines(tx: Tx, { company_id, lines }: OrderState): Promise<void> {
  await sql`update order_lines set stock_taken = fresh.stock_taken, refunded_quantity = fresh.refunded_quantity,
      refunded_cents = fresh.refunded_cents, credited_entitlement_id = fresh.credited_entitlement_id
    from json_populate_recordset(null::order_lines, ${JSON.stringify(lines)}::json) as fresh
    where order_lines.company_id = ${company_id} and order_lines.id = fresh.id`.execute(tx)
}
