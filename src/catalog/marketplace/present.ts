import { presentProduct } from '#catalog/products/present.ts'
import type { ProductState } from '#catalog/products/state.ts'
import { recommendedDomain } from '#catalog/theme-settings/domains.rules.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import { OWN_HOST, ownHost } from '#platform/wire/own-address.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { MarketOffer, MarketplaceEntry, OfferedProduct } from './schema.ts'
import type { EntryRow, Offer } from './state.ts'

/** An entry of the marketplace, in the language of the company. A company has no picture except that of its shop. */
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

/** A shop below the service's own host has the protocol and port of the service. */
function shopUrl(domain: string, baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl)
  if (!domain.endsWith(OWN_HOST)) return `${protocol}//${domain}/`
  return `${protocol}//${domain.replace(OWN_HOST, ownHost(baseUrl))}${port === '' ? '' : `:${port}`}/`
}

/** A product as other companies see it: without the fields that only concern its owner. */
export function presentOffered(product: ProductState): OfferedProduct {
  const {
    comment: _comment,
    published: _published,
    mirrored: _mirrored,
    valid: _valid,
    attribute_set_id: _attributeSet,
    supplier: _supplier,
    items_in_stock: _stock,
    manage_stock: _manageStock,
    categories: _categories,
    groups: _groups,
    themes: _themes,
    content_files: _contentFiles,
    locales,
    ...shown
  } = presentProduct(product)
  return { ...shown, locales: locales.map(({ email_text: _text, ...locale }) => locale) }
}

/** An offer as its own company sees it. */
export function presentOffer(offer: Offer): MarketOffer {
  return {
    id: offer.id,
    cost_to_licensees_percent: offer.cost_to_licensees_percent,
    theme_setting_id: offer.theme_setting_id,
    category_ids: offer.category_ids,
    company_ids: offer.company_ids,
    created_at: wireTime(offer.created_at),
    updated_at: wireTime(offer.updated_at),
  }
}
