import type { Tx } from '#platform/db/database.ts'
import { prepareInsert } from '#platform/db/writes.ts'
import type { GatewaySettings, PartOfRefund, PaymentState } from './state.ts'

/** How payments are stored. Every change of a payment locks its order first, so that changes happen one after another. */

export const insertPayment: (tx: Tx, payment: PaymentState) => Promise<void> = prepareInsert('payments', {
  amount_cents: true,
  company_id: true,
  created_at: true,
  currency: true,
  external_id: true,
  failure: true,
  flags: true,
  gateway: true,
  id: true,
  means_payment_id: true,
  off_session: true,
  order_id: true,
  paid_at: true,
  paid_cents: true,
  reference: true,
  refunded_cents: true,
  reserved_until: true,
  saves_means: true,
  status: true,
  test: true,
  token: true,
  updated_at: true,
})

export async function savePayment(tx: Tx, payment: PaymentState): Promise<void> {
  await tx
    .updateTable('payments')
    .set(payment)
    .where('company_id', '=', payment.company_id)
    .where('id', '=', payment.id)
    .execute()
}

export async function savePart(tx: Tx, part: PartOfRefund): Promise<void> {
  const { status, external_id, error, attempt, updated_at } = part
  await tx
    .insertInto('payment_refunds')
    .values(part)
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'refund_id', 'payment_id'])
        .doUpdateSet({ status, external_id, error, attempt, updated_at }),
    )
    .execute()
}

export async function saveGateway(tx: Tx, gateway: GatewaySettings): Promise<void> {
  const { company_id: _company, name: _name, ...settings } = gateway
  await tx
    .insertInto('payment_gateways')
    .values(gateway)
    .onConflict((conflict) => conflict.columns(['company_id', 'name']).doUpdateSet(settings))
    .execute()
}
