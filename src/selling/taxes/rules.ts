import { isInEu, type Rate, standardRate } from '#identity/addresses/vat-rates.facts.ts'

/** What is taxed: digital goods where the customer is, everything else where it is sold. */
export type Taxed = 'digital' | 'other'

/** The rates that a company has set itself, by two-letter code. */
export type OwnRates = Readonly<Record<string, Rate>>

export type Trade = {
  /** Two-letter codes. */
  seller: string
  /** Empty if the customer's country is not known; the sale then counts as a domestic one. */
  customer: string
  own: OwnRates
  now: Date
}

/**
 * The rate of value added tax on a sale: for digital goods that of the customer's country inside the European Union,
 * wherever the seller is; otherwise the seller's, as long as the sale stays in its country or in the Union; none on
 * exports. A rate that the company has set itself replaces the one of its country. By setting one for a country to which
 * it exports, the company says that it is registered there, so it is charged.
 */
export function taxRate(taxed: Taxed, { seller, customer, own, now }: Trade): Rate {
  const destination = customer === '' ? seller : customer
  const country = taxingCountry(taxed, seller, destination)
  return country === undefined ? (own[destination] ?? 0) : (own[country] ?? standardRate(country, now))
}

/**
 * Does the customer owe the tax instead of the seller? A business in another country of the European Union does, if it has a
 * VAT id of the country where it is.
 */
export function isReverseCharge(seller: string, customer: string, vatCountry: string | undefined): boolean {
  const isThere = vatCountry !== undefined && (customer === '' || customer === vatCountry)
  return isThere && vatCountry !== seller && isInEu(seller) && isInEu(vatCountry)
}

/** The country whose tax is on a sale; undefined for an export. */
function taxingCountry(taxed: Taxed, seller: string, destination: string): string | undefined {
  if (taxed === 'digital' && isInEu(destination)) return destination
  const staysHome = destination === seller || (isInEu(destination) && isInEu(seller))
  return staysHome ? seller : undefined
}

const DAY_MS = 86_400_000

/** The time before which an answer about a VAT id is too old to be used. */
export function oldestUsed(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}
