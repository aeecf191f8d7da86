import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { GUEST_BILL_HOURS, isOffered, PAYMENT_DUE_DAYS, webhookPath } from './rules.ts'
import type { Payment, PaymentSettings } from './schema.ts'
import type { GatewayName, GatewaySettings, PaymentState } from './state.ts'

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

/** The settings of a company, without its secrets. */
export function presentSettings(
  companyId: number,
  gateways: readonly GatewaySettings[],
  hasWebhookSecret: boolean,
  baseUrl: string,
): PaymentSettings {
  const find = (name: GatewayName) => gateways.find((gateway) => gateway.name === name)
  const isOn = (name: GatewayName) => gateways.some((gateway) => gateway.name === name && isOffered(gateway))
  const manual = find('Manual')
  const stripe = find('Stripe')
  return {
    manual: {
      enabled: isOn('Manual'),
      instructions: manual?.instructions ?? '',
      payment_due_days: manual?.payment_due_days ?? PAYMENT_DUE_DAYS,
      guest_bill_hours: manual?.guest_bill_hours ?? GUEST_BILL_HOURS,
    },
    test: { enabled: isOn('Test') },
    stripe: {
      enabled: isOn('Stripe'),
      secret_key_hint: stripe?.key_hint ?? '',
      test_mode: stripe?.is_test ?? false,
      has_webhook_secret: hasWebhookSecret,
      webhook_url: `${baseUrl}${webhookPath(companyId)}`,
    },
  }
}
