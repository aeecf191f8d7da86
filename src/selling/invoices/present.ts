import { wireTime } from '#platform/wire/times.ts'
import type { Invoice, InvoiceSettings } from './schema.ts'
import type { InvoiceSettingsState, InvoiceState } from './state.ts'

export function presentInvoice(invoice: InvoiceState): Invoice {
  return {
    id: invoice.id,
    kind: invoice.kind,
    number: invoice.number,
    order_id: invoice.order_id,
    refund_id: invoice.refund_id,
    total: invoice.total_cents,
    currency: invoice.currency,
    issued_at: wireTime(invoice.issued_at),
  }
}

export function presentInvoiceSettings(settings: InvoiceSettingsState): InvoiceSettings {
  const { prefix, credit_prefix, vat_id, payment_days, check_vat_ids, note } = settings
  return { prefix, credit_prefix, vat_id, payment_days, check_vat_ids, note }
}
