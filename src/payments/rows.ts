import type { Tx } from '#platform/db/database.ts'
import type { GatewaySettings, PartOfRefund, PaymentState } from './state.ts'

/** How payments are stored. Every change of a payment locks its order first, so that changes happen one after another. */

export async function insertPayment(tx: Tx, payment: PaymentState): Promise<void> {
  await tx.insertInto('payments').values(payment).execute()
}

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
