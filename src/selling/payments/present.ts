import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { Keys } from './gateways/gateway.ts'
import { ALL_GATEWAYS } from './gateways/table.facts.ts'
import { isOffered, newGateway, webhookUrl } from './rules.ts'
import type { Payment, PaymentSettings } from './schema.ts'
import type { GatewaySettings, PaymentState } from './state.ts'

export function presentPayment(payment: PaymentState): Payment {
  return {
    id: payment.id,
    order_id: payment.order_id,
    gateway: payment.gateway,
    status: payment.status,
    test: payment.test,
    amount: payment.amount_cents,
    paid_amount: payment.paid_cents,
    refunded_amount: payment.refunded_cents,
    currency: payment.currency,
    reference: payment.reference,
    failure: payment.failure,
    flags: payment.flags,
    created_at: wireTime(payment.created_at),
    updated_at: wireTime(payment.updated_at),
    paid_at: wireTimeOrNull(payment.paid_at),
  }
}

/** When a gateway was set that nobody has ever set. */
const NEVER = new Date(0)

/** The settings of a company, without its secrets. */
export function presentSettings(
  companyId: number,
  gateways: readonly GatewaySettings[],
  keysOf: (settings: GatewaySettings) => Keys,
  baseUrl: string,
): PaymentSettings {
  const shown = ALL_GATEWAYS.map(({ key, kind }) => {
    const stored = gateways.find(({ name }) => name === kind.name) ?? newGateway(companyId, kind.name, NEVER)
    const address = webhookUrl(baseUrl, companyId, kind.name)
    return [key, kind.show({ ...stored, enabled: isOffered(stored), keys: keysOf(stored), webhookUrl: address })]
  })
  return Object.fromEntries(shown)
}
