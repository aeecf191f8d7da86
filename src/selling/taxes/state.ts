/** What the tax authorities said about a VAT id. */
export type VatIdAnswer = {
  is_valid: boolean
  /** The number of the inquiry, which proves it; empty if there is none. */
  request_id: string
}

export type VatIdCheck = VatIdAnswer & { company_id: number; vat_id: string; checked_at: Date }
