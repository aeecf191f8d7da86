import { acceptedLanguages } from '#locales/rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { Shop } from '#theme-settings/state.ts'
import { readCurrencies } from './queries.ts'
import { chooseCurrency, chooseLanguage, countryOf, languagesOf, readPreferences } from './rules.ts'
import type { ShopVisit } from './state.ts'

/** What a browser says of its visitor. `language` is the one in the address, which search engines use. */
export type Browser = { acceptLanguage: string; preferences: string | undefined; language: string }

/** The currencies of a company change rarely, so a page need not ask for them. */
const CURRENCIES_MS = 60_000
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

/** Works out for whom a page of a shop is: the language, the country and the currency. */
export function createVisits(db: Db) {
  const known = new Map<number, { currencies: Promise<string[]>; until: number }>()

  function currenciesOf(companyId: number): Promise<string[]> {
    const now = performance.now()
    const before = known.get(companyId)
    if (before !== undefined && before.until > now) return before.currencies
    if (known.size >= COMPANIES_MAX) known.clear()
    const currencies = readCurrencies(db, companyId)
    known.set(companyId, { currencies, until: now + CURRENCIES_MS })
    currencies.catch(() => known.delete(companyId))
    return currencies
  }

  return async (shop: Shop, base: string, browser: Browser): Promise<ShopVisit> => {
    const chosen = readPreferences(browser.preferences)
    const country = chosen.country || countryOf(acceptedLanguages(browser.acceptLanguage)) || shop.country_code
    const currencies = await currenciesOf(shop.company_id)
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
      isPreview: false,
    }
  }
}
