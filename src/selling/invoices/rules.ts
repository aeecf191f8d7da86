import type { Correspondent } from '#identity/companies/state.ts'
import type { Customer } from '#people/customers/schema.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { RefundState } from '#selling/orders/refunds/state.ts'
import { beyondLines } from '#selling/orders/refunds/taxes.rules.ts'
import { orderName, taxesOfShipping } from '#selling/orders/rules.ts'
import { netOf, sum } from '#selling/orders/sale/totals.rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import type {
  InvoiceContent,
  InvoiceKind,
  InvoiceLine,
  InvoiceSettingsState,
  InvoiceState,
  InvoiceTax,
  Party,
} from './state.ts'

const DIGITS_MIN = 4
const DAY_MS = 86_400_000

export function newSettings(companyId: number, now: Date): InvoiceSettingsState {
  return {
    company_id: companyId,
    prefix: 'INV-',
    credit_prefix: 'CN-',
    vat_id: '',
    payment_days: 14,
    check_vat_ids: false,
    note: '',
    last_number: 0,
    last_credit_number: 0,
    updated_at: now,
  }
}

/** The next number of a kind, and the settings that remember it. */
export function nextNumber(
  settings: InvoiceSettingsState,
  kind: InvoiceKind,
): { sequence: number; number: string; after: InvoiceSettingsState } {
  const isInvoice = kind === 'invoice'
  const sequence = (isInvoice ? settings.last_number : settings.last_credit_number) + 1
  const prefix = isInvoice ? settings.prefix : settings.credit_prefix
  const after = isInvoice ? { ...settings, last_number: sequence } : { ...settings, last_credit_number: sequence }
  return { sequence, number: `${prefix}${String(sequence).padStart(DIGITS_MIN, '0')}`, after }
}

/** Tests, gifts and cancelled orders have no invoice. */
export function isInvoiced({ total_cents, cancelled_at }: OrderState, isReal: boolean): boolean {
  return isReal && total_cents > 0 && cancelled_at === null
}

export type Facts = {
  order: OrderState
  buyer: Customer
  company: Correspondent
  settings: InvoiceSettingsState
  /** How to pay a bill. */
  instructions: string
  number: string
  now: Date
}

/** What an invoice says. A bill that is reserved until a time has to be paid by then. */
export function invoiceContent(facts: Facts, dueAt?: Date): InvoiceContent {
  const { order, settings, instructions, now } = facts
  const until = wireTime(dueAt ?? new Date(now.getTime() + settings.payment_days * DAY_MS))
  return {
    ...headOf(facts, 'invoice', null),
    ...wholeOrder(order),
    payment:
      order.financial_status === 'pending'
        ? { kind: 'due', until, instructions }
        : { kind: 'paid', gateway: order.gateway },
  }
}

/** What the credit note of a cancelled bill says: everything that the invoice asks for. */
export function cancellationContent(facts: Facts, corrects: string): InvoiceContent {
  return { ...headOf(facts, 'credit_note', corrects), ...wholeOrder(facts.order), payment: null }
}

/** Is it the credit note of a cancelled bill? */
export function isCancellation({ kind, refund_id }: Pick<InvoiceState, 'kind' | 'refund_id'>): boolean {
  return kind === 'credit_note' && refund_id === null
}

/** The lines and sums of a document about all of an order. */
function wholeOrder(order: OrderState) {
  return {
    lines: [
      ...order.lines.map((line): InvoiceLine => {
        const title = line.license_title === null ? line.title : `${line.title} (${line.license_title})`
        const totalCents = line.net_cents + line.tax_cents
        const credit = line.credit_cents === 0 ? {} : { creditCents: line.credit_cents }
        return { title, quantity: line.quantity, rate: line.tax_rate, netCents: line.net_cents, totalCents, ...credit }
      }),
      ...order.shipping_lines.flatMap((line) =>
        taxesOfShipping(line).map(
          ({ rate, net, tax }): InvoiceLine => ({
            title: line.title,
            quantity: 1,
            rate,
            netCents: net,
            totalCents: net + tax,
          }),
        ),
      ),
    ],
    taxes: taxesOf(order),
    netCents: order.net_cents,
    taxCents: order.tax_cents,
    totalCents: order.total_cents,
  }
}

/** What a credit note says. An amount beyond the lines is spread over the tax rates of the order. */
export function creditContent(facts: Facts, refund: RefundState, corrects: string): InvoiceContent {
  const { order } = facts
  const byId = new Map(order.lines.map((line) => [line.id, line]))
  const given = refund.lines.flatMap(({ line_item_id, quantity, cents }): InvoiceLine[] => {
    const line = byId.get(line_item_id)
    if (line === undefined || cents === 0) return []
    const netCents = netOf(cents, line.tax_rate)
    return [{ title: line.title, quantity, rate: line.tax_rate, netCents, totalCents: cents }]
  })
  const rest = refund.amount_cents - sum(given.map(({ totalCents }) => totalCents))
  const lines = [...given, ...restLines(order, rest)]
  const netCents = sum(lines.map((line) => line.netCents))
  return {
    ...headOf(facts, 'credit_note', corrects),
    lines,
    taxes: taxesOfLines(lines),
    netCents,
    taxCents: refund.amount_cents - netCents,
    totalCents: refund.amount_cents,
    payment: null,
  }
}

function restLines(order: OrderState, cents: number): InvoiceLine[] {
  return beyondLines(order, cents).map(({ rate, cents: totalCents }) => ({
    title: '',
    quantity: 1,
    rate,
    netCents: netOf(totalCents, rate),
    totalCents,
  }))
}

function taxesOfLines(lines: readonly InvoiceLine[]): InvoiceTax[] {
  return [...Map.groupBy(lines, ({ rate }) => rate)]
    .map(([rate, ofRate]) => {
      const netCents = sum(ofRate.map((line) => line.netCents))
      return { rate, netCents, taxCents: sum(ofRate.map(({ totalCents }) => totalCents)) - netCents }
    })
    .sort((one, other) => other.rate - one.rate)
}

function taxesOf(order: OrderState): InvoiceTax[] {
  const ofLines = order.lines.map(({ tax_rate, net_cents, tax_cents }) => ({
    rate: tax_rate,
    netCents: net_cents,
    totalCents: net_cents + tax_cents,
  }))
  const ofShipping = order.shipping_lines
    .flatMap(taxesOfShipping)
    .map(({ rate, net, tax }) => ({ rate, netCents: net, totalCents: net + tax }))
  return taxesOfLines([...ofLines, ...ofShipping].map((part) => ({ title: '', quantity: 1, ...part })))
}

function headOf({ order, buyer, company, settings, number, now }: Facts, kind: InvoiceKind, corrects: string | null) {
  return {
    kind,
    number,
    corrects,
    language: buyer.language,
    country: order.country_code,
    issuedAt: wireTime(now),
    orderedAt: wireTime(order.created_at),
    orderName: orderName(order.id),
    poNumber: order.po_number,
    seller: sellerOf(company, settings, buyer.language),
    buyer: buyerOf(buyer, order),
    currency: order.currency,
    reverseCharge: order.reverse_charge,
    note: settings.note,
  }
}

/** The texts that say something. */
export const filled = (texts: string[]) => texts.map((text) => text.trim()).filter((text) => text !== '')

/** The name of a country in the language of the buyer. */
export function countryName(code: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return ''
  return new Intl.DisplayNames([language, 'en'], { type: 'region' }).of(code) ?? code
}

function sellerOf(company: Correspondent, { vat_id }: InvoiceSettingsState, language: string): Party {
  const { company_name, street, zip, city, country_code, email } = company
  const lines = [company_name, street, `${zip} ${city}`, countryName(country_code, language)]
  return { lines: filled(lines), email, vatId: vat_id }
}

function buyerOf(customer: Customer, order: OrderState): Party {
  const { first_name, last_name, default_address: home, email, language } = customer
  const address = home ?? order.shipping_address
  const lines = [
    address?.company ?? '',
    `${first_name} ${last_name}`,
    address?.address1 ?? '',
    address?.address2 ?? '',
    `${address?.zip ?? ''} ${address?.city ?? ''}`,
    countryName(address?.country_code ?? '', language),
  ]
  return { lines: filled(lines), email, vatId: order.vat_id }
}
