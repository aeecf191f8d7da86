import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { MoneyEvent } from './state.ts'

/** Bank transfers take days, and gateways repeat for days what nobody took. */
const KEPT_DAYS = 30
const REFERENCE_MAX = 255

/**
 * Lets one transaction at a time follow news of the same money. Otherwise an event could look for its payment while the
 * payment looks for its events, and neither would find the other.
 */
export async function lockMoney(tx: Tx, companyId: number, reference: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`money ${reference} of ${companyId}`}, 0))`.execute(tx)
}

/** Keeps an event until its payment is known. Gateways say how much went back in all, so the largest amount is the last. */
export async function keepEarlyEvent(tx: Tx, companyId: number, event: MoneyEvent, now: Date): Promise<void> {
  const { reference, kind } = event
  if (reference.length > REFERENCE_MAX) return
  const refunded_cents = event.kind === 'refunded' ? event.refundedCents : 0
  await tx
    .insertInto('early_payment_events')
    .values({ company_id: companyId, reference, kind, refunded_cents, received_at: now })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'reference', 'kind']).doUpdateSet({
        refunded_cents: sql`greatest(early_payment_events.refunded_cents, excluded.refunded_cents)`,
      }),
    )
    .execute()
}

/** The events that came before their payment. They are taken once, by whoever locks their money. */
export async function takeEarlyEvents(tx: Tx, companyId: number, reference: string): Promise<MoneyEvent[]> {
  const locked = lockMoney(tx, companyId, reference)
  const taken = tx
    .deleteFrom('early_payment_events')
    .where('company_id', '=', companyId)
    .where('reference', '=', reference)
    .returning(['kind', 'refunded_cents'])
    .$narrowType<{ kind: MoneyEvent['kind'] }>()
    .execute()
  const [rows] = await Promise.all([taken, locked])
  return rows.map(({ kind, refunded_cents }) =>
    kind === 'refunded' ? { kind, reference, refundedCents: refunded_cents } : { kind, reference },
  )
}

/** Deletes events of payments that were never ours: a company may use its account at a gateway for other things, too. */
export function deleteOldEarlyEvents(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  return deleteBatch(tx, 'early_payment_events', 'received_at', sql`received_at < ${before}`)
}
