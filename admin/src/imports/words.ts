import { count, languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Import, Mistake } from './queries.ts'

const FIELDS = [
  'address1',
  'address2',
  'address_first_name',
  'address_last_name',
  'address_number',
  'age',
  'audio_type',
  'category',
  'city',
  'code',
  'comment',
  'company',
  'compare_price',
  'confirmed_at',
  'consent_source',
  'copy',
  'country',
  'country_code',
  'currency',
  'default_address',
  'description',
  'email',
  'end_at',
  'ends_at',
  'expires_at',
  'first_name',
  'group_id',
  'gtin',
  'handle',
  'hd',
  'image',
  'image_position',
  'inventory_tracker',
  'isbn',
  'items_in_stock',
  'language',
  'last_name',
  'license',
  'name',
  'note',
  'num_users',
  'offer_audio_type',
  'offer_compare_price',
  'offer_hd',
  'offer_license',
  'offer_price',
  'offer_users',
  'order_number',
  'parent',
  'phone',
  'pre_sales',
  'price',
  'product',
  'product_id',
  'product_title',
  'product_type',
  'province',
  'province_code',
  'published',
  'published_at',
  'quantity',
  'refunded',
  'remaining',
  'requires_shipping',
  'runtime',
  'sale_price',
  'seo_description',
  'seo_keywords',
  'seo_title',
  'sku',
  'sold_at',
  'start_at',
  'state',
  'status',
  'supplier',
  'tax_class',
  'theme_setting_id',
  'title',
  'uses',
  'variant_image',
  'version',
  'weight',
  'year',
  'zip',
] as const

/** Names of products, which are the same in every language. */
export const SHOP_NAMES = { shopify: 'Shopify', woocommerce: 'WooCommerce', gumroad: 'Gumroad' } as const
export const SHOPS = ['shopify', 'woocommerce', 'gumroad'] as const

/** What a column fills. Columns of prices may be currencies. */
export function fieldTitle(field: string): string {
  const known = FIELDS.find((each) => each === field)
  return known === undefined ? field.toUpperCase() : t(`imports.fields.${known}`)
}

/** A value of an example as people read it. */
export function shownValue(field: string, value: string): string {
  return field === 'language' && /^[a-z]{2}$/.test(value) ? languageName(value) : value
}

const OWN_WORDS = [
  'not_an_amount',
  'not_a_number',
  'not_a_flag',
  'duplicate',
  'field_required',
  'consent_source_missing',
  'consent_date_missing',
  'own_code_unreadable',
  'own_code_too_short',
  'own_code_too_simple',
  'own_code_taken',
  'redemption_expiry_passed',
] as const

/** What is wrong with a value. The service's own sentences are written for people, too. */
export function mistakeText({ reason, message }: Mistake): string {
  const known = OWN_WORDS.find((each) => each === reason)
  return known === undefined ? `${message}.` : t(`imports.mistakes.${known}`)
}

/** The heading of the screen: what has to be done. */
export function headingOf({ state, report, total, kind, done }: Import): string {
  if (state === 'imported')
    return t('imports.imported', { count: (report?.counts.created ?? 0) + (report?.counts.changed ?? 0) })
  if (state === 'undoing') return t('imports.undo.under_way', { done: count(done), total: count(total) })
  if (state === 'undone') return t('imports.undo.done')
  if (state === 'importing') return t('imports.importing', { done: count(done), total: count(total) })
  if (state === 'checking') return t('imports.checking')
  if (state === 'failed') return t('imports.failed')
  const refused = report?.counts.refused ?? 0
  if (state === 'checked' && refused > 0) return t('imports.need_you', { count: refused, total: count(total) })
  if (state === 'checked') return t('imports.ready', { count: total })
  return kind === null ? t('imports.title') : t(`imports.of.${kind}`)
}
