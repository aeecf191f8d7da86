import { isInEu, type Rate, standardRate } from './rates.ts'

/** What is taxed: digital goods where the customer is, everything else where it is sold. */
export type Taxed = 'digital' | 'other'

export type Trade = {
  /** Two-letter codes. */
  seller: string
  /** Empty if the customer's country is not known; the sale then counts as a domestic one. */
  customer: string
  now: Date
}

/**
 * The rate of value added tax on a sale: for digital goods that of the customer's country inside the European Union,
 * wherever the seller is; otherwise the seller's, as long as the sale stays in its country or in the Union; none on
 * exports.
 */
export function taxRate(taxed: Taxed, { seller, customer, now }: Trade): Rate {
  const country = customer === '' ? seller : customer
  if (taxed === 'digital' && isInEu(country)) return standardRate(country, now)
  const staysHome = country === seller || (isInEu(country) && isInEu(seller))
  return staysHome ? standardRate(seller, now) : 0
}
