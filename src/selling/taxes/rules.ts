import {
  RATED_CLASSES,
  type RatedClass,
  reducedRate,
  reducedSince,
  type TaxClass,
} from '#identity/addresses/tax-classes.facts.ts'
import { EU_COUNTRIES, isInEu, type Rate, standardRate, standardSince } from '#identity/addresses/vat-rates.facts.ts'

/** What is taxed: digital goods where the customer is, everything else where it is sold. */
export type Taxed = 'digital' | 'other'

/** The rates that a company has set itself, by two-letter code and class, as in `DE reduced`. */
export type OwnRates = Readonly<Record<string, Rate>>

export type Trade = {
  /** Two-letter codes. */
  seller: string
  /** Empty if the customer's country is not known; the sale then counts as a domestic one. */
  customer: string
  taxClass: TaxClass
  own: OwnRates
  now: Date
}

/**
 * The rate of value added tax on a sale: for digital goods that of the customer's country inside the European Union,
 * wherever the seller is; otherwise the seller's, as long as the sale stays in its country or in the Union; none on
 * exports. The class of the product chooses between the rates of the country. A rate that the company has set itself
 * replaces the one of its country and class. By setting one for a country to which it exports, the company says that it is
 * registered there, so it is charged.
 */
export function taxRate(taxed: Taxed, { seller, customer, taxClass, own, now }: Trade): Rate {
  if (taxClass === 'zero') return 0
  const destination = customer === '' ? seller : customer
  const country = taxingCountry(taxed, seller, destination)
  if (country !== undefined) return rateIn(country, taxClass, own, now)
  const isRegistered = [taxClass, 'standard' as const].some((each) => ownRate(own, destination, each) !== undefined)
  return isRegistered ? rateIn(destination, taxClass, own, now) : 0
}

function ownRate(own: OwnRates, country: string, taxClass: RatedClass): Rate | undefined {
  return own[`${country} ${taxClass}`]
}

/** A class for which a country has no rate of its own is taxed like everything else there. */
function rateIn(country: string, taxClass: RatedClass, own: OwnRates, now: Date): Rate {
  const reduced = taxClass === 'standard' ? undefined : reducedRate(taxClass, country, now)
  return ownRate(own, country, taxClass) ?? reduced ?? ownRate(own, country, 'standard') ?? standardRate(country, now)
}

/** A rate that applies now, and from where it is known. */
export type AppliedRate = {
  country: string
  taxClass: RatedClass
  rate: Rate
  source: 'own' | 'built_in'
  /** Since when a built-in rate applies; undefined if the data does not say. */
  since: Date | undefined
}

/** The rates that sales are taxed with: those of the seller's country, of the European Union, and of the rates of its own. */
export function appliedRates(seller: string, own: OwnRates, now: Date): AppliedRate[] {
  const registered = Object.keys(own).map((key) => key.slice(0, 2))
  const countries = [...new Set([seller, ...EU_COUNTRIES, ...registered])].filter((code) => code !== '')
  return countries.flatMap((country) => RATED_CLASSES.map((taxClass) => appliedRate(country, taxClass, own, now)))
}

/** Where a rate comes from, in the order in which `rateIn` looks for it. */
function appliedRate(country: string, taxClass: RatedClass, own: OwnRates, now: Date): AppliedRate {
  const reduced = taxClass === 'standard' ? undefined : reducedRate(taxClass, country, now)
  const isOwn =
    ownRate(own, country, taxClass) !== undefined ||
    (reduced === undefined && ownRate(own, country, 'standard') !== undefined)
  const since =
    reduced === undefined || taxClass === 'standard'
      ? standardSince(country, now)
      : reducedSince(taxClass, country, now)
  const rate = rateIn(country, taxClass, own, now)
  return { country, taxClass, rate, source: isOwn ? 'own' : 'built_in', since: isOwn ? undefined : since }
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
