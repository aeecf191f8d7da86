import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { presentLedgerEntry } from './present.ts'
import { LEDGER_ENTRIES, readLedgerEntries } from './queries.ts'
import type { LedgerEntryState } from './state.ts'

/** The share that the owner of a mirrored product gets for a sale, or pays back (negative). */
export type Booking = {
  sellerId: number
  ownerId: number
  orderId: number
  lineItemId: number
  refundId: number | null
  kind: LedgerEntryState['kind']
  productId: string
  title: string
  quantity: number
  percent: number
  cents: number
  currency: string
}

/** Records shares of sales for both companies at once: the amount that one gets is the amount that the other owes. */
export async function book(tx: Tx, bookings: readonly Booking[], now: Date): Promise<void> {
  if (bookings.length === 0) return
  const { takeRowId } = await takeIds(tx, LEDGER_ENTRIES, bookings.length * 2, 0)
  const rows = bookings.flatMap((booking) => [
    entryOf(booking, takeRowId(), booking.sellerId, booking.ownerId, -booking.cents, now),
    entryOf(booking, takeRowId(), booking.ownerId, booking.sellerId, booking.cents, now),
  ])
  const entries = JSON.stringify(rows.map((row) => ({ ...row, document: asciiJson(presentLedgerEntry(row)) })))
  await sql`insert into ledger_entries select * from json_populate_recordset(null::ledger_entries, ${entries}::json)`.execute(
    tx,
  )
}

/** Rewrites the documents of a company's entries from their rows. */
export async function refreshLedgerEntries(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  const fresh = (await readLedgerEntries(tx, companyId, ids)).map((entry) => ({
    id: entry.id,
    document: asciiJson(presentLedgerEntry(entry)),
  }))
  await sql`update ledger_entries set document = fresh.document
    from json_to_recordset(${JSON.stringify(fresh)}::json) as fresh (id bigint, document text)
    where ledger_entries.company_id = ${companyId} and ledger_entries.id = fresh.id`.execute(tx)
}

function entryOf(
  booking: Booking,
  id: number,
  companyId: number,
  counterpartId: number,
  cents: number,
  now: Date,
): LedgerEntryState {
  return {
    company_id: companyId,
    id,
    counterpart_id: counterpartId,
    order_company_id: booking.sellerId,
    order_id: booking.orderId,
    line_item_id: booking.lineItemId,
    refund_id: booking.refundId,
    kind: booking.kind,
    product_id: booking.productId,
    title: booking.title,
    quantity: booking.quantity,
    cost_to_licensees_percent: booking.percent,
    // Zero has no sign.
    amount_cents: cents === 0 ? 0 : cents,
    currency: booking.currency,
    created_at: now,
  }
}
