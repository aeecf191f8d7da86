import { chooseLocale } from '#locales/rules.ts'
import { OWN_HOST, ownHost } from '#platform/own-address.ts'
import { recommendedDomain } from '#theme-settings/domains.ts'
import { type MarketplaceEntry, OfferedProduct } from './schema.ts'
import type { EntryRow } from './state.ts'

/** An entry of the marketplace, in the language of the company. A company has no picture but that of its shop. */
export function presentEntry(row: EntryRow, baseUrl: string): MarketplaceEntry {
  const { shop } = row
  const icon = shop?.shop_icon ?? ''
  const texts = chooseLocale(shop?.locales ?? [], row.language)
  return {
    market_id: row.id,
    company_name: row.company_name,
    company_logo: icon,
    shop_name: texts?.shop_name || row.company_name,
    shop_description: texts?.shop_description ?? '',
    shop_icon: icon,
    shop_url: shop === null ? '' : shopUrl(recommendedDomain(shop.hosts), baseUrl),
    product_count: row.product_count,
    cost_to_licensees_percent: row.cost_to_licensees_percent,
  }
}

/** A shop below the service's own host is reached as the service is, by its port too. */
function shopUrl(domain: string, baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl)
  if (!domain.endsWith(OWN_HOST)) return `${protocol}//${domain}/`
  return `${protocol}//${domain.replace(OWN_HOST, ownHost(baseUrl))}${port === '' ? '' : `:${port}`}/`
}

const SHOWN = Object.keys(OfferedProduct.properties) as (keyof OfferedProduct)[]

/** A stored product as other companies see it. */
export function presentOffered({ document }: { document: string }): OfferedProduct {
  const product = JSON.parse(document)
  const shown = Object.fromEntries(SHOWN.map((name) => [name, product[name]])) as OfferedProduct
  const withoutMailText = ({
    email_text: _text,
    ...locale
  }: { email_text: string } & OfferedProduct['locales'][number]) => locale
  return { ...shown, locales: product.locales.map(withoutMailText) }
}
