/** The settings of a company for its invoices, and the last numbers that were given. */
export type InvoiceSettingsState = {
  company_id: number
  prefix: string
  credit_prefix: string
  /** Of the seller. */
  vat_id: string
  /** Within how many days a bill has to be paid. */
  payment_days: number
  /** Are the VAT ids of business customers looked up? */
  check_vat_ids: boolean
  note: string
  last_number: number
  last_credit_number: number
  updated_at: Date
}

export type InvoiceKind = 'invoice' | 'credit_note'

/** An issued document without its PDF. */
export type InvoiceState = {
  company_id: number
  id: number
  kind: InvoiceKind
  order_id: number
  refund_id: number | null
  sequence_number: number
  number: string
  total_cents: number
  currency: string
  issued_at: Date
}

/** A person or company on a document: name and address, line by line. */
export type Party = { lines: string[]; email: string; vatId: string }

export type InvoiceLine = {
  title: string
  quantity: number
  rate: number
  netCents: number
  totalCents: number
  /** What was paid for a rental and made the purchase cheaper, with tax. Absent: nothing. */
  creditCents?: number
}

export type InvoiceTax = { rate: number; netCents: number; taxCents: number }

/** Everything that a document says. It is stored with the document. */
export type InvoiceContent = {
  kind: InvoiceKind
  number: string
  /** The number of the invoice that a credit note corrects. */
  corrects: string | null
  language: string
  country: string
  issuedAt: string
  orderedAt: string
  orderName: string
  poNumber: string
  seller: Party
  buyer: Party
  lines: InvoiceLine[]
  taxes: InvoiceTax[]
  netCents: number
  taxCents: number
  totalCents: number
  currency: string
  reverseCharge: boolean
  /** How it was paid, or how to pay it. */
  payment: { kind: 'paid'; gateway: string } | { kind: 'due'; until: string; instructions: string } | null
  note: string
}
