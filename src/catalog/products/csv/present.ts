import { type CsvValue, importableLine } from '#platform/wire/csv.ts'
import { seoSource } from '../changes.rules.ts'
import { generateSeo } from '../locales/rules.ts'
import type { Product } from '../schema.ts'

/** What files call the things that a product names by their ids. */
export type Names = {
  licenses: ReadonlyMap<number, string>
  prices: ReadonlyMap<number, string>
  /** Titles from the top category down. */
  categories: ReadonlyMap<number, readonly string[]>
}

/** What the first row of a product says, and no other. */
const OF_PRODUCT: readonly [column: string, value: (product: Product, names: Names) => CsvValue][] = [
  ['product_id', ({ product_id }) => product_id],
  ['product_type', ({ product_type }) => product_type],
  ['product_title', ({ title, locales }) => (title === locales[0]?.title ? '' : title)],
  ['version', ({ version }) => version],
  ['comment', ({ comment }) => comment],
  ['supplier', ({ supplier }) => supplier],
  ['category', categoriesOf],
  ['published', ({ published }) => published],
  ['published_at', ({ published_at }) => published_at],
  ['pre_sales', ({ pre_sales }) => pre_sales],
  ['items_in_stock', ({ items_in_stock }) => items_in_stock],
  ['weight', ({ weight }) => weight],
  ['tax_class', ({ tax_class }) => tax_class],
  ['gtin', ({ gtin }) => gtin],
  ['isbn', ({ tagging }) => tagging.isbn],
  ['year', ({ tagging }) => tagging.year],
  ['runtime', ({ runtime }) => runtime],
]

/** What each row can add: texts in one more language, one more offer, and one more picture. */
const OF_ROW: readonly [column: string, value: (product: Product, place: number, names: Names) => CsvValue][] = [
  ['language', ({ locales }, place) => locales[place]?.language_id ?? ''],
  ['title', ({ locales }, place) => locales[place]?.title ?? ''],
  ['description', ({ locales }, place) => locales[place]?.description ?? ''],
  ['seo_title', (product, place) => seoOf(product, place, 'seo_title')],
  ['seo_description', (product, place) => seoOf(product, place, 'seo_description')],
  ['seo_keywords', (product, place) => seoOf(product, place, 'seo_keywords')],
  ['offer_license', (product, place, { licenses }) => nameIn(licenses, offerAt(product, place)?.license_id)],
  ['offer_price', (product, place, { prices }) => nameIn(prices, offerAt(product, place)?.price_id)],
  ['offer_compare_price', (product, place, { prices }) => nameIn(prices, offerAt(product, place)?.compare_price_id)],
  ['offer_hd', (product, place) => offerAt(product, place)?.hd ?? null],
  ['offer_users', (product, place) => offerAt(product, place)?.num_users ?? null],
  ['offer_audio_type', (product, place) => offerAt(product, place)?.audio_type ?? null],
  ['image', ({ images }, place) => images[place]?.src ?? ''],
]

const offerAt = (product: Product, place: number) => product.price_license_binding[place]

const nameIn = (names: ReadonlyMap<number, string>, id: number | null | undefined) => names.get(id ?? 0) ?? ''

/** A text that is generated from the product is left out, so that it keeps following the product. */
function seoOf(product: Product, place: number, name: 'seo_title' | 'seo_description' | 'seo_keywords'): string {
  const locale = product.locales[place]
  if (locale === undefined) return ''
  const generated = generateSeo(locale, seoSource(product.title, product))[name]
  return locale[name] === generated ? '' : locale[name]
}

/** The signs between titles are escaped within them. */
function categoriesOf({ categories }: Product, names: Names): string {
  const paths = categories.map(({ category_id }) => names.categories.get(category_id) ?? [])
  return paths.map((path) => path.map((title) => title.replace(/[|>]/g, '\\$&')).join(' > ')).join(' | ')
}

export const HEADING = importableLine(['handle', ...OF_PRODUCT.map(([name]) => name), ...OF_ROW.map(([name]) => name)])

/** Products as the lines of a file that an import reads, without its heading. Mirrored ones belong to others. */
export function linesOf(products: readonly Product[], names: Names): string {
  return products
    .filter(({ mirrored }) => !mirrored)
    .flatMap((product) => rowsOf(product, names))
    .join('')
}

function rowsOf(product: Product, names: Names): string[] {
  const { locales, images, price_license_binding, product_id } = product
  const count = Math.max(1, locales.length, images.length, price_license_binding.length)
  return Array.from({ length: count }, (_, place) =>
    importableLine([
      product_id,
      ...OF_PRODUCT.map(([, value]) => (place === 0 ? value(product, names) : '')),
      ...OF_ROW.map(([, value]) => value(product, place, names)),
    ]),
  )
}
