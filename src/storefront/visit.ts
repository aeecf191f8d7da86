import { acceptedLanguages } from '#locales/rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { Shop } from '#theme-settings/state.ts'
import { readCurrencies, readOwners } from './queries.ts'
import { chooseCurrency, chooseLanguage, countryOf, languagesOf, readPreferences } from './rules.ts'
import type { ShopVisit } from './state.ts'

/** What a browser says of its visitor. `language` is the one in the address, which search engines use. */
export type Browser = { acceptLanguage: string; preferences: string | undefined; language: string }

/** The currencies of a company, and whose products it mirrors, change rarely, so a page need not ask for them. */
const KNOWN_MS = 60_000
const COMPANIES_MAX = 10_000

/**
 * The languages of a page: the one in the address, the one that the visitor has chosen, the one of the customer's account,
 * then those of the browser.
 */
export function languagesFor(
  shop: Shop,
  { language: asked, preferences, acceptLanguage }: Browser,
  account = '',
): Pick<ShopVisit, 'language' | 'languages'> {
  const chosen = readPreferences(preferences).language
  const wanted = [asked.toLowerCase(), chosen, account, ...acceptedLanguages(acceptLanguage)].filter(Boolean)
  const language = chooseLanguage(languagesOf(shop), wanted)
  return { language, languages: [language, ...wanted] }
}

type Facts = { currencies: string[]; owners: number[] }

async function readFacts(db: Db, companyId: number): Promise<Facts> {
  const [currencies, owners] = await Promise.all([readCurrencies(db, companyId), readOwners(db, companyId)])
  return { currencies, owners }
}

/** Works out for whom a page of a shop is: the language, the country and the currency. */
export function createVisits(db: Db) {
  const known = new Map<number, { facts: Promise<Facts>; until: number }>()

  function factsOf(companyId: number): Promise<Facts> {
    const now = performance.now()
    const before = known.get(companyId)
    if (before !== undefined && before.until > now) return before.facts
    if (known.size >= COMPANIES_MAX) known.clear()
    const facts = readFacts(db, companyId)
    known.set(companyId, { facts, until: now + KNOWN_MS })
    facts.catch(() => known.delete(companyId))
    return facts
  }

  return async (shop: Shop, base: string, browser: Browser): Promise<ShopVisit> => {
    const chosen = readPreferences(browser.preferences)
    const country = chosen.country || countryOf(acceptedLanguages(browser.acceptLanguage)) || shop.country_code
    const { currencies, owners } = await factsOf(shop.company_id)
    return {
      shop,
      base,
      ...languagesFor(shop, browser),
      country,
      currency: chooseCurrency(currencies, chosen.currency, country, shop.currency),
      currencies,
      customer: undefined,
      session: undefined,
      guest: undefined,
      owners,
      isPreview: false,
    }
  }
}
