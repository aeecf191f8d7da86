import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { Price } from './schema.ts'
import type { PriceState } from './state.ts'

/** A price model as the API shows it; stored with every change and sent by every read. */
export function presentPrice(price: PriceState): Price {
  return {
    id: price.id,
    title: price.title,
    created_at: wireTime(price.created_at),
    modified_at: wireTime(price.modified_at),
    valid: price.valid,
    countries: price.countries.map(({ country_code, cents }) => ({
      country_name: countryDetails(country_code).Country,
      country_code,
      price: cents,
    })),
    currencies: price.currencies.map(({ currency, cents }) => ({ currency: currency.toLowerCase(), price: cents })),
  }
}
