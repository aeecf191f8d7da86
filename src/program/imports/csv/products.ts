import {
  AUDIO_ALBUM,
  AUDIO_TRACK,
  E_BOOK,
  GENERIC_FILE,
  HD_VIDEO,
  PHYSICAL,
  SERVICE,
  SOFTWARE,
  VIDEO,
  WEB_ACCESS,
} from '#catalog/products/types.facts.ts'
import type { Entry, Offer, Skip } from '../importer/entries.ts'
import type { Row } from './file.ts'
import { type Columns, createPlaces, RowReader, withoutAbsent } from './values.ts'

/** The columns of a product, ours and Shopify's, as `columnName` writes them. */
export const PRODUCT_COLUMNS: Columns = {
  handle: ['handle', 'urlhandle'],
  sku: ['sku', 'variantsku'],
  product_id: ['productid'],
  product_type: ['producttype'],
  title: ['title'],
  product_title: ['producttitle'],
  language: ['language'],
  description: ['description', 'bodyhtml'],
  seo_title: ['seotitle'],
  seo_description: ['seodescription'],
  seo_keywords: ['seokeywords', 'tags'],
  version: ['version'],
  comment: ['comment'],
  supplier: ['supplier', 'vendor'],
  category: ['category', 'categories', 'type'],
  published: ['published', 'publishedononlinestore'],
  status: ['status'],
  published_at: ['publishedat'],
  pre_sales: ['presales'],
  price: ['price', 'variantprice'],
  sale_price: ['saleprice'],
  compare_price: ['compareprice', 'compareatprice', 'variantcompareatprice'],
  currency: ['currency'],
  license: ['license'],
  offer_license: ['offerlicense'],
  offer_price: ['offerprice'],
  offer_compare_price: ['offercompareprice'],
  offer_hd: ['offerhd'],
  offer_users: ['offerusers'],
  offer_audio_type: ['offeraudiotype'],
  items_in_stock: ['itemsinstock', 'inventoryquantity', 'variantinventoryqty'],
  inventory_tracker: ['inventorytracker', 'variantinventorytracker'],
  weight: ['weight', 'weightvaluegrams', 'variantgrams'],
  tax_class: ['taxclass'],
  gtin: ['gtin', 'barcode', 'variantbarcode'],
  requires_shipping: ['requiresshipping', 'variantrequiresshipping'],
  isbn: ['isbn'],
  year: ['year'],
  age: ['age', 'agerating'],
  runtime: ['runtime'],
  image: ['image', 'imagesrc', 'productimageurl'],
  image_position: ['imageposition'],
  variant_image: ['variantimage', 'variantimageurl'],
  parent: ['variationof'],
}

/** Types by the words that people write; any other is written as its number. */
const TYPES: Readonly<Record<string, number>> = {
  physical: PHYSICAL,
  video: VIDEO,
  'video (hd)': HD_VIDEO,
  'web access': WEB_ACCESS,
  software: SOFTWARE,
  'audio album': AUDIO_ALBUM,
  'audio track': AUDIO_TRACK,
  'e-book': E_BOOK,
  service: SERVICE,
  file: GENERIC_FILE,
}

/** Types of other shops for which there is nothing to import. */
const SKIPPED: Readonly<Record<string, Skip>> = {
  grouped: {
    reason: 'grouped_product',
    message: 'a group of products has no price of its own: make a package of its parts',
  },
  external: { reason: 'external_product', message: 'it is sold in another shop' },
}

/** The defaults of a file: those of the company that it is for. */
export type Defaults = { language: string; currency: string }

/** Puts rows of the same handle together: each further row adds a picture or a language. They follow each other. */
export async function* groupRows(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let group: Row[] = []
  for await (const row of rows) {
    const handle = handleOf(row)
    const [first] = group
    if (first !== undefined && (handle === undefined || handle !== handleOf(first))) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

function handleOf(row: Row): string | undefined {
  return new RowReader(row, PRODUCT_COLUMNS).text('handle')
}

/** A product in the field names of the API. */
export function productOf(rows: readonly Row[], { language, currency }: Defaults): Entry {
  const readers = rows.map((row) => new RowReader(row, PRODUCT_COLUMNS))
  const [reader] = readers
  const [row] = rows
  if (reader === undefined || row === undefined) throw new Error('a product has at least one row')
  const currencyCode = (reader.text('currency') ?? currency).toUpperCase()
  const inLanguages = readers.flatMap((each) => {
    const locale = localeOf(each, language)
    return locale === undefined ? [] : [{ locale, reader: each }]
  })
  const locales = inLanguages.map(({ locale }) => locale)
  const pictures = picturesOf(readers)
  const images = pictures.map(({ src }) => ({ src }))
  const offers = offersOf(readers)
  const categories = (reader.text('category') ?? '')
    .split(/(?<!\\)\|/)
    .map((path) =>
      path
        .split(/(?<!\\)>/)
        .map((title) => title.replace(/\\([|>])/g, '$1').trim())
        .filter((title) => title !== ''),
    )
    .filter((path) => path.length > 0)
  const value = withoutAbsent({
    product_id: reader.text('product_id'),
    product_type: typeOf(reader),
    title: reader.text('product_title') ?? reader.text('title'),
    version: reader.text('version'),
    comment: reader.text('comment'),
    supplier: reader.text('supplier'),
    published: publishedOf(reader),
    published_at: reader.text('published_at'),
    pre_sales: reader.flag('pre_sales'),
    weight: reader.number('weight'),
    gtin: reader.text('gtin'),
    tax_class: reader.text('tax_class')?.toLowerCase(),
    runtime: reader.number('runtime'),
    items_in_stock: stockOf(reader),
    tagging: taggingOf(reader),
    locales: locales.length === 0 ? undefined : locales,
    images: images.length === 0 ? undefined : images,
  })
  const [price, salePrice] = [reader.amount('price', currencyCode), reader.amount('sale_price', currencyCode)]
  const links = {
    price: salePrice ?? price,
    comparePrice: salePrice === undefined ? reader.amount('compare_price', currencyCode) : price,
    license: reader.text('license'),
    offers: offers.map(({ offer }) => offer),
    categories,
  }
  const key = reader.text('handle') ?? reader.text('sku')
  const skipped = SKIPPED[reader.text('product_type') ?? '']
  const placeOf = createPlaces(
    reader,
    {
      locales: inLanguages.map((each) => each.reader),
      images: pictures.map((each) => each.reader),
      offers: offers.map((each) => each.reader),
    },
    OTHER_NAMES,
  )
  return {
    where: `line ${row.line}`,
    lines: rows.map(({ line }) => line),
    placeOf,
    values: () => reader.values(),
    value,
    ...(key === undefined ? {} : { key }),
    links,
    ...(skipped === undefined ? {} : { skipped }),
    faults: readers.flatMap(({ faults }) => faults),
    notes: variantNotes(rows, readers),
  }
}

/** Columns that have another name than their attribute of the API. */
const OTHER_NAMES = {
  images: 'image',
  src: 'image',
  categories: 'category',
  category_id: 'category',
  license_id: 'license',
  price_id: 'price',
  compare_price_id: 'compare_price',
  price_license_binding: 'price',
  language_id: 'language',
}

function typeOf(reader: RowReader): number | string {
  const written = reader.text('product_type')
  if (written !== undefined) return TYPES[written.toLowerCase()] ?? written
  return reader.flag('requires_shipping') === false ? GENERIC_FILE : PHYSICAL
}

/** Shopify says twice whether a product is shown: by its status, and by where it is sold. */
function publishedOf(reader: RowReader): boolean | undefined {
  const [published, status] = [reader.flag('published'), reader.flag('status')]
  return published === undefined && status === undefined ? undefined : (published ?? true) && (status ?? true)
}

/** Shopify exports a number for products whose stock nobody counts, too: those have no tracker. */
function stockOf(reader: RowReader): number | undefined {
  const isShopify = reader.text('handle') !== undefined && reader.text('requires_shipping') !== undefined
  return isShopify && reader.text('inventory_tracker') === undefined ? undefined : reader.number('items_in_stock')
}

function taggingOf(reader: RowReader): object | undefined {
  const tagging = withoutAbsent({ isbn: reader.text('isbn'), year: reader.number('year'), age: reader.number('age') })
  return Object.keys(tagging).length === 0 ? undefined : tagging
}

const LOCALE_FIELDS = ['title', 'description', 'seo_title', 'seo_description', 'seo_keywords'] as const

function localeOf(reader: RowReader, language: string): object | undefined {
  const texts = withoutAbsent(Object.fromEntries(LOCALE_FIELDS.map((field) => [field, reader.text(field)])))
  return Object.keys(texts).length === 0 ? undefined : { language_id: reader.text('language') ?? language, ...texts }
}

/** The offers of a product that names its licenses and price models: one for each row that has one. */
function offersOf(readers: readonly RowReader[]): { offer: Offer; reader: RowReader }[] {
  return readers.flatMap((reader) => {
    const offer = {
      license: reader.text('offer_license'),
      price: reader.text('offer_price'),
      comparePrice: reader.text('offer_compare_price'),
      hd: reader.flag('offer_hd'),
      users: reader.number('offer_users'),
      audioType: reader.number('offer_audio_type'),
    }
    return Object.values(offer).every((value) => value === undefined) ? [] : [{ offer, reader }]
  })
}

/** The pictures of the rows in their order, then those of variants. A row may have several, with commas between them. */
function picturesOf(readers: readonly RowReader[]): { src: string; reader: RowReader }[] {
  const placed = readers.flatMap((reader, index) => {
    const position = reader.number('image_position') ?? index + 1
    return addressesIn(reader.text('image')).map((src) => ({ src, reader, position }))
  })
  const ofVariants = readers.flatMap((reader) =>
    addressesIn(reader.text('variant_image')).map((src) => ({ src, reader })),
  )
  const ordered = [...placed.sort((a, b) => a.position - b.position), ...ofVariants]
  return ordered.filter(({ src }, index) => ordered.findIndex((each) => each.src === src) === index)
}

function addressesIn(text = ''): string[] {
  const addresses: string[] = []
  for (const part of text.split(',')) {
    // A comma can also be a part of an address.
    if (addresses.length === 0 || /^https?:/.test(part.trimStart())) addresses.push(part)
    else addresses.push(`${addresses.pop()},${part}`)
  }
  return addresses.map((address) => address.trim()).filter((address) => address !== '')
}

/** Licet has no variants: a product is what its first row says. */
function variantNotes(rows: readonly Row[], readers: readonly RowReader[]): string[] {
  return rows.flatMap(({ line }, index) => {
    const reader = readers[index]
    const isVariant = index > 0 && reader !== undefined && (reader.text('price') ?? reader.text('sku')) !== undefined
    return isVariant ? [`line ${line}: a further variant is not imported`] : []
  })
}
