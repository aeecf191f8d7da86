import { wireTime } from '#platform/wire/times.ts'
import type { LedgerEntry } from './schema.ts'
import type { LedgerEntryState } from './state.ts'

/** A ledger entry as its company sees it; stored once, because entries never change. */
export function presentLedgerEntry(entry: LedgerEntryState): LedgerEntry {
  return {
    id: entry.id,
    created_at: wireTime(entry.created_at),
    kind: entry.kind,
    counterpart_id: entry.counterpart_id,
    selling_company_id: entry.order_company_id,
    order_id: entry.order_id,
    line_item_id: entry.line_item_id,
    refund_id: entry.refund_id,
    product_id: entry.product_id,
    title: entry.title,
    quantity: entry.quantity,
    cost_to_licensees_percent: entry.cost_to_licensees_percent,
    amount: entry.amount_cents,
    currency: entry.currency,
  }
}
