import { countryDetails } from '#identity/addresses/countries.facts.ts'
import type { Changed } from './rules.ts'
import type { PriceChange } from './schema.ts'

/** What a price is and becomes, amount by amount. */
export function presentChange({ before, after }: Changed, etag: string): PriceChange {
  return {
    id: before.id,
    title: before.title,
    etag,
    currencies: before.currencies.map(({ currency, cents }, place) => ({
      currency: currency.toLowerCase(),
      before: cents,
      after: after.currencies[place]?.cents ?? cents,
    })),
    countries: before.countries.map(({ country_code, cents }, place) => ({
      country_code,
      currency: countryDetails(country_code).Currency.toLowerCase(),
      before: cents,
      after: after.countries[place]?.cents ?? cents,
    })),
  }
}
