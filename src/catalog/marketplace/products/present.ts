import type { Product } from '#catalog/products/schema.ts'
import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import type { MarketProduct } from './schema.ts'
import type { MarketProductRow, MarketTerm } from './state.ts'

/** A product of another company, with what a shop has to know before it sells it. */
export function presentMarketProduct(row: MarketProductRow): MarketProduct {
  const product: Product = JSON.parse(row.document)
  const locales = product.locales.map((locale) => ({ ...locale, language: locale.language_id }))
  const texts = chooseLocale(locales, row.language)
  const covers = [texts?.src ?? '', ...locales.map(({ src }) => src)].filter((src) => src !== '').slice(0, 1)
  const pictures = [...new Set([...covers, ...product.preview_pictures.map(({ src }) => src)])]
  return {
    id: row.id,
    market_id: row.market_id,
    company_name: row.company_name,
    cost_to_licensees_percent: row.cost_to_licensees_percent,
    title: texts?.title || product.title,
    version: product.version,
    product_type: product.product_type,
    published_at: product.published_at,
    description: texts?.description ?? '',
    src: pictures[0] ?? '',
    pictures,
    terms: row.terms.map((term) => presentTerm(term, row.language)),
    mirror: row.mirror,
  }
}

function presentTerm({ license, currencies, countries }: MarketTerm, language: string): MarketProduct['terms'][number] {
  const byCountry = countries.map(({ country_code, cents }) => ({
    amount: cents,
    currency: countryDetails(country_code).Currency,
  }))
  const byCurrency = currencies.map(({ currency, cents }) => ({ amount: cents, currency }))
  return {
    license: license === null ? null : chooseLocale(license.locales, language)?.name || license.name,
    prices: byCurrency.length > 0 ? byCurrency : byCountry,
  }
}
