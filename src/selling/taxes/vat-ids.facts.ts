import { checkVAT, countries } from 'jsvat-next'
import { isInEu } from '#identity/addresses/vat-rates.facts.ts'

/** A VAT id as it is written on invoices, and the two-letter code of its country. */
export type VatId = { id: string; country: string }

/** Reads a VAT id of the European Union; undefined if its form or its check digits are wrong. */
export function readVatId(text: string): VatId | undefined {
  const { isValid, value, country } = checkVAT(text.trim(), countries)
  const code = country?.isoCode.short ?? ''
  return isValid && value !== undefined && isInEu(code) ? { id: value, country: code } : undefined
}
