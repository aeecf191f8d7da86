import { findCountry } from '#identity/addresses/countries.facts.ts'
import type { OwnCustomer } from '#people/customers/queries.ts'
import { changeRelation, emptyRelation, newAccount } from '#people/customers/rules.ts'
import { randomCapitals } from '#platform/identity/crypto.ts'
import { FIRST_NAMES, LAST_NAMES } from './products.ts'
import type { Random } from './random.ts'

/** Where customers of a demo shop live; places that are listed more often have more of them. */
const HOMES = [
  { country_code: 'DE', city: 'Berlin', zip: '10115', language: 'de' },
  { country_code: 'DE', city: 'Hamburg', zip: '20095', language: 'de' },
  { country_code: 'DE', city: 'Köln', zip: '50667', language: 'de' },
  { country_code: 'DE', city: 'Leipzig', zip: '04109', language: 'de' },
  { country_code: 'DE', city: 'München', zip: '80331', language: 'de' },
  { country_code: 'AT', city: 'Wien', zip: '1010', language: 'de' },
  { country_code: 'CH', city: 'Zürich', zip: '8001', language: 'de' },
  { country_code: 'FR', city: 'Lyon', zip: '69001', language: 'en' },
  { country_code: 'NL', city: 'Utrecht', zip: '3511', language: 'en' },
  { country_code: 'DK', city: 'Aarhus', zip: '8000', language: 'en' },
  { country_code: 'GB', city: 'Bristol', zip: 'BS1 4ST', language: 'en' },
  { country_code: 'US', city: 'Portland', zip: '97201', language: 'en' },
] as const
const STREETS = ['Gartenweg', 'Bahnhofstraße', 'Mill Lane', 'Rue des Lilas', 'Havnegade', 'Am Markt', 'Orchard Road']

export const COUNTRIES = [...new Set(HOMES.map(({ country_code }) => country_code))]

const inAscii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()

/** A new customer from one of the countries. The id makes the email address unique. */
export function makeCustomer(
  random: Random,
  companyId: number,
  id: number,
  { countries, takeId, now }: { countries: ReadonlySet<string>; takeId: () => number; now: Date },
): OwnCustomer {
  const [first_name, last_name] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
  const { language, ...place } = random.pick(HOMES.filter(({ country_code }) => countries.has(country_code)))
  const address = { first_name, last_name, ...place, address1: `${random.pick(STREETS)} ${1 + random.below(120)}` }
  const email = `${inAscii(first_name)}.${inAscii(last_name)}.${id}@example.com`
  const account = newAccount({ id, token: randomCapitals(16), email, password_hash: null, language }, now)
  const details = { first_name, last_name, addresses: [address] }
  return { account, own: changeRelation(emptyRelation(companyId, id, now), details, { now, takeId, findCountry }) }
}
