import { seoSource } from '#catalog/products/changes.rules.ts'
import { generateSeo } from '#catalog/products/locales/rules.ts'
import { mediumOf, productTypeOf } from '#catalog/products/types.facts.ts'
import { languageNames } from '#identity/languages/rules.ts'
import { cleanHtml, safeHtml } from '#platform/text/safe-html.ts'
import { categoryPath, productPath } from '#shop/site/paths.rules.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'
import { categoryLink, kindOf, partOf, picturesFor, titleFor, type Viewer } from './cards.present.ts'
import { FORMATS } from './formats.present.ts'
import { type Offer, offersOf } from './offers.present.ts'
import { previewsOf, trialOf } from './previews.present.ts'
import { shippingFor } from './shown-prices.rules.ts'
import type { CategoryRow, ProductRow } from './state.ts'

const DESCRIPTION_MAX = 160

export type CategoryView = Awaited<ReturnType<typeof categoryModel>>['category']

/** Everything on the page of a category but its products. */
export async function categoryModel(row: CategoryRow, viewer: Viewer, origin: string) {
  const locales = inOrder(row.locales, viewer.languages)
  const title = textIn(locales, 'title')?.text ?? row.title
  const description = textIn(locales, 'description')
  const crumbs = (row.path ?? []).map((link) => categoryLink(link, viewer))
  const path = categoryPath(row.id, title)
  const seo = generateSeo({ title, description: description?.text ?? '' }, { title, words: [] })
  return {
    page: {
      title: textIn(locales, 'seo_title')?.text ?? title,
      description: textIn(locales, 'seo_description')?.text ?? seo.seo_description,
      canonical: `${origin}${path}`,
      json_ld: jsonLd([breadcrumbs([...crumbs, { title, url: `${viewer.base}${path}` }], viewer.base, origin)]),
    },
    category: {
      id: row.id,
      title,
      url: `${viewer.base}${path}`,
      description: description && { language: description.language, html: await cleanHtml(description.text) },
      /** The categories above it, from the top down. */
      crumbs,
      /** The categories below it. */
      children: (row.children ?? []).map((link) => categoryLink(link, viewer)),
    },
  }
}

export type ProductView = Awaited<ReturnType<typeof productModel>>['product']

/** Everything on the page of a product. */
export async function productModel(row: ProductRow, viewer: Viewer, shop: { origin: string }) {
  const locales = inOrder(row.locales, viewer.languages)
  const title = titleFor(row, viewer)
  const description = textIn(locales, 'description')
  const path = productPath(row.id, title)
  const offers = offersOf(row, viewer)
  const pictures = picturesFor(row.pictures, row.locales, viewer)
  const crumbs = (row.path ?? []).map((link) => categoryLink(link, viewer))
  const seo = generateSeo({ title, description: description?.text ?? '' }, seoSource(title, row.tagging))
  const keywords = textIn(locales, 'seo_keywords')?.text ?? seo.seo_keywords
  const version = textIn(locales, 'version')?.text ?? row.version
  const summary = (textIn(locales, 'seo_description')?.text ?? seo.seo_description).slice(0, 2 * DESCRIPTION_MAX)
  const [cover] = pictures
  const image = cover === undefined ? undefined : `${shop.origin}${cover.large}`
  const url = `${shop.origin}${path}`
  return {
    page: {
      title: textIn(locales, 'seo_title')?.text ?? title,
      description: summary,
      keywords,
      canonical: url,
      image,
      type: 'product',
      has_bar: offers.length > 0,
      json_ld: jsonLd([
        productData({ title, summary, keywords, version, image, url, row, offers }),
        breadcrumbs([...crumbs, { title, url: `${viewer.base}${path}` }], viewer.base, shop.origin),
      ]),
    },
    product: {
      id: row.id,
      product_id: row.product_id,
      title,
      url: `${viewer.base}${path}`,
      ...kindOf(row.product_type),
      description: description && { language: description.language, html: await cleanHtml(description.text) },
      pictures,
      /** Its nearest category and those above it, from the top down. */
      crumbs,
      /** What can be bought, in the order of the owner. */
      offers,
      /** The time of its release, if that lies ahead. */
      released_at: row.released_at,
      /** In seconds. */
      runtime: row.runtime,
      ...previewsOf(row.files, viewer),
      /** What everybody can download to try the program, and the page of its maker. */
      trial: trialOf(row.files, viewer),
      maker_url: webAddress(textIn(locales, 'product_url')?.text),
      version,
      /** The products in a collection or a variation. */
      parts: (row.parts ?? []).map((part) => ({
        ...partOf(part, viewer),
        preview: previewsOf(part.files, viewer).previews.sounds[0],
      })),
      /** Does the customer choose one of its parts? */
      is_variation: productTypeOf(row.product_type).isChoice === true,
      is_sold_out: isSoldOut(row),
      /** Is it a film that is sold before there is a file to watch? */
      is_pre_order: isPreOrder(row),
      /** Does the tax come on top of a price? */
      is_net: offers.some(({ is_net }) => is_net),
      /** How goods reach the visitor; nothing if there is nothing to send, or nobody says. */
      shipping: offers.some(({ is_shipped }) => is_shipped) ? shippingModel(viewer) : undefined,
      ...factsOf(row, version, viewer),
    },
  }
}

function shippingModel(viewer: Viewer) {
  const found = shippingFor(viewer)
  if (found === undefined) return undefined
  return found === 'nowhere' ? { is_offered: false as const } : { is_offered: true as const, ...found }
}

/** An address that a browser opens as a page; undefined for anything else that an owner has written. */
function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

function isSoldOut({ manage_stock, items_in_stock }: ProductRow): boolean {
  return manage_stock && items_in_stock !== null && items_in_stock <= 0
}

function isPreOrder({ product_type, pre_sales, contents }: ProductRow): boolean {
  const hasFile = (contents ?? []).some(({ role }) => role === 'main_hd' || role === 'main_sd')
  return pre_sales && mediumOf(product_type) === 'film' && !hasFile
}

/** What the product is, in a few words, and the table of details. */
function factsOf(
  { tagging, chapters, gtin, supplier, weight, contents }: ProductRow,
  version: string,
  { language }: Viewer,
) {
  const nameOf = languageNames(language)
  const values = (words: readonly { value: string }[]) => words.map(({ value }) => value).filter(Boolean)
  const people = (list: readonly { person: string }[]) => list.map(({ person }) => person).filter(Boolean)
  const files = contents ?? []
  const subtitles = files.filter(({ role }) => role === 'subtitles')
  const main = files.filter(({ role }) => role !== 'subtitles')
  /** A language or a format that several files have is said once. */
  const spoken = (list: typeof files) => [
    ...new Set(list.flatMap((file) => (file.language === '' ? [] : nameOf(file.language)))),
  ]
  return {
    /** The year of its making. */
    year: tagging.tagging.year,
    genres: values(tagging.tagging_genre),
    languages: spoken(main),
    chapters,
    /** The table of details: `key` is the last part of a key below `product.details`, or `label` is a text of the owner. */
    details: [
      { key: 'director', values: people(tagging.tagging_director) },
      { key: 'script', values: people(tagging.tagging_script) },
      ...tagging.tagging_people.map(({ role, person }) => ({ key: undefined, label: role, values: [person] })),
      { key: 'studio', values: values(tagging.tagging_studios) },
      { key: 'subtitles', values: spoken(subtitles) },
      { key: 'format', values: [...new Set(main.flatMap(({ content_type }) => FORMATS[content_type] ?? []))] },
      { key: 'version', values: [version] },
      { key: 'supplier', values: [supplier ?? ''] },
      { key: 'isbn', values: tagging.tagging.isbn === null ? [] : [tagging.tagging.isbn] },
      { key: 'gtin', values: gtin === null || gtin === '' ? [] : [gtin] },
    ].filter(({ values: list }) => list.some((value) => value !== '')),
    weight,
  }
}

type Described = {
  title: string
  summary: string
  keywords: string
  version: string
  image: string | undefined
  url: string
  row: ProductRow
  offers: readonly Offer[]
}

/** The product for search engines (schema.org). */
function productData({ title, summary, keywords, version, image, url, row, offers }: Described) {
  const isProgram = mediumOf(row.product_type) === 'software'
  const isAhead = row.released_at !== null || isPreOrder(row)
  const availability = isSoldOut(row) ? 'OutOfStock' : isAhead ? 'PreOrder' : 'InStock'
  return {
    '@type': isProgram ? ['Product', 'SoftwareApplication'] : 'Product',
    name: title,
    description: summary,
    keywords,
    sku: row.product_id,
    url,
    ...(image === undefined ? {} : { image }),
    ...(row.gtin === null || row.gtin === '' ? {} : { gtin: row.gtin }),
    ...(row.supplier ? { manufacturer: { '@type': 'Organization', name: row.supplier } } : {}),
    ...(isProgram && version !== '' ? { softwareVersion: version } : {}),
    offers: offers.flatMap(({ price, title: name }) =>
      price === undefined
        ? []
        : [
            {
              '@type': 'Offer',
              ...(name === undefined ? {} : { name }),
              url,
              price: (price.cents / 100).toFixed(2),
              priceCurrency: price.currency,
              availability: `https://schema.org/${availability}`,
            },
          ],
    ),
  }
}

function breadcrumbs(links: readonly { title: string; url: string }[], base: string, origin: string) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: links.map(({ title, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      item: `${origin}${url.slice(base.length)}`,
    })),
  }
}

/** A data block. The character that could end it is written as an escape of JSON. */
function jsonLd(graph: readonly object[]) {
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replace(/</g, '\\u003c')
  return safeHtml(`<script type="application/ld+json">${json}</script>`)
}
