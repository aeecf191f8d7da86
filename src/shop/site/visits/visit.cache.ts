import type { Shop } from '#catalog/theme-settings/state.ts'
import type { Db } from '#platform/db/database.ts'
import { acceptedLanguages } from '#platform/text/accepted-languages.ts'
import { readShippingMethods } from '#selling/shipping-methods/queries.ts'
import { readOwnRates } from '#selling/tax-rates/queries.ts'
import type { Made, ShopCache } from '#shop/cache/cache.ts'
import { readCurrencies, readNavigation, readOwners, sellsPlans } from '../queries.ts'
import { chooseCurrency, chooseLanguage, countryOf, languagesOf, readPreferences } from '../rules.ts'
import type { ShopVisit } from '../state.ts'

/** What a browser says of its visitor. `language` is the one in the address, which search engines use. */
export type Browser = { acceptLanguage: string; preferences: string | undefined; language: string }

/** The languages that a visitor wants, best first: see `languagesFor`. */
export function wantedLanguages({ language, preferences, acceptLanguage }: Browser, account = ''): string[] {
  const chosen = readPreferences(preferences).language
  return [language.toLowerCase(), chosen, account, ...acceptedLanguages(acceptLanguage)].filter(Boolean)
}

/**
 * The languages of a page: the one in the address, the one that the visitor has chosen, the one of the customer's account,
 * then those of the browser.
 */
export function languagesFor(shop: Shop, browser: Browser, account = ''): Pick<ShopVisit, 'language' | 'languages'> {
  const wanted = wantedLanguages(browser, account)
  const language = chooseLanguage(languagesOf(shop), wanted)
  return { language, languages: [language, ...wanted] }
}

/** Where a visitor is, who has said so: the chosen country, or else that of the customer's address. */
export function placeFor(
  { shop, country, currencies }: Pick<ShopVisit, 'shop' | 'country' | 'currencies'>,
  { preferences }: Browser,
  customerCountry: string,
): Pick<ShopVisit, 'country' | 'currency'> {
  const chosen = readPreferences(preferences)
  const place = chosen.country || customerCountry || country
  return { country: place, currency: chooseCurrency(currencies, chosen.currency, place, shop.currency) }
}

/** What all pages of the shops of a company show. */
type Facts = Pick<ShopVisit, 'currencies' | 'owners' | 'navigation' | 'ownRates' | 'shippingMethods' | 'sellsPlans'>

declare module '#shop/cache/cache.ts' {
  interface CacheValues {
    facts: Facts
  }
}

async function makeFacts(db: Db, companyId: number, menuIds: readonly number[] | undefined): Promise<Made<Facts>> {
  const [currencies, owners, navigation, ownRates, shippingMethods, isSelling] = await Promise.all([
    readCurrencies(db, companyId),
    readOwners(db, companyId),
    readNavigation(db, companyId, menuIds),
    readOwnRates(db, companyId),
    readShippingMethods(db, companyId),
    sellsPlans(db, companyId),
  ])
  const facts = { currencies, owners, navigation, ownRates, shippingMethods, sellsPlans: isSelling }
  return { value: facts, size: JSON.stringify(facts).length, isForOthers: true }
}

/** Works out for whom a page of a shop is: the language, the country and the currency. */
export function createVisits(db: Db, cache: ShopCache) {
  /** `since` is the last change that was known before the shop was read. */
  return async (shop: Shop, base: string, browser: Browser, since: number): Promise<ShopVisit> => {
    const { company_id: companyId } = shop
    const chosen = readPreferences(browser.preferences)
    const country = chosen.country || countryOf(acceptedLanguages(browser.acceptLanguage)) || shop.country_code
    const source = { companyIds: [companyId], since }
    // The shops of a company differ in what their menus name.
    const menuIds = shop.menu?.flatMap(({ category_id }) => category_id ?? [])
    const { currencies, ...facts } = await cache.share('facts', `${companyId} ${menuIds}`, source, () =>
      makeFacts(db, companyId, menuIds),
    )
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
      ...facts,
      isPreview: false,
      sandboxTime: undefined,
      draft: undefined,
    }
  }
}
