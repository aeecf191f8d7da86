import { currencies } from 'countries-list/currencies'

/**
 * Codes of ISO 4217 that are not used for payments: funds, units of account, metals, tests and withdrawn currencies.
 */
const NO_MONEY = new Set(
  'ANG BOV CHE CHW CLF COU MXV SLL USN USS UYI UYW XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
)

const decimals = new Map(
  Object.entries(currencies)
    .filter(([code]) => !NO_MONEY.has(code))
    .map(([code, currency]) => [code, currency.decimals]),
)

/** The codes of the currencies that a price can have. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set(decimals.keys())

/** The smallest amount that can be paid, in hundredths of the unit: there is no half a yen. */
export function smallestCents(currency: string): number {
  return decimals.get(currency) === 0 ? 100 : 1
}
