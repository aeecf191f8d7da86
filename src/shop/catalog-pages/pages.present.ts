import { seoSource } from '#catalog/products/changes.rules.ts'
import { generateSeo } from '#catalog/products/locales/rules.ts'
import { SHOWN_STOCK_MAX } from '#catalog/products/stock/rules.ts'
import { mediumOf, productTypeOf } from '#catalog/products/types.facts.ts'
import { cleanHtml, safeHtml } from '#platform/text/safe-html.ts'
import type { Rating } from '#selling/reviews/state.ts'
import { categoryPath, productPath } from '#shop/site/paths.rules.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'
import {
  type Card,
  categoryLink,
  isPreOrder,
  kindOf,
  type Picture,
  partOf,
  picturesFor,
  titleFor,
  type Viewer,
} from './cards.present.ts'
import { factsOf } from './facts.present.ts'
import { includedIn, openedBy } from './memberships/present.ts'
import { type Offer, offersOf } from './offers.present.ts'
import { previewsOf, trialOf } from './previews.present.ts'
import { reviewData } from './reviews.present.ts'
import { shippingFor } from './shown-prices/rules.ts'
import type { CategoryRow, ProductRow } from './state.ts'

const DESCRIPTION_MAX = 160
/** So few pieces that a customer should know. */
const FEW = 10

export type CategoryView = Awaited<ReturnType<typeof categoryModel>>['category']

/** Everything on the page of a category but its products. */
export async function categoryModel(
  row: CategoryRow,
  viewer: Viewer,
  { origin, isFiltered, cards }: { origin: string; isFiltered: boolean; cards: readonly Card[] },
) {
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
      image: imageOf(cards, origin),
      is_unlisted: isFiltered,
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

/** A film begins with what fits a screen, also as the picture before its trailer. */
function inStage(pictures: readonly Picture[], productType: number): Picture[] {
  if (kindOf(productType).kind !== 'film') return [...pictures]
  return pictures.toSorted((one, other) => Number(other.is_wide) - Number(one.is_wide))
}

/** The first picture of a list. */
function imageOf(cards: readonly Card[], origin: string): string | undefined {
  const picture = cards.find((card) => card.picture !== undefined)?.picture
  return picture && `${origin}${picture.large}`
}

export type ProductView = Awaited<ReturnType<typeof productModel>>['product']

/** Everything on the page of a product. */
export async function productModel(
  row: ProductRow,
  viewer: Viewer,
  shop: { origin: string; rating: Rating | undefined; running?: readonly string[] },
) {
  const locales = inOrder(row.locales, viewer.languages)
  const title = titleFor(row, viewer)
  const description = textIn(locales, 'description')
  const path = productPath(row.id, title)
  const offers = offersOf(row, viewer)
  const pictures = inStage(picturesFor(row.pictures, row.locales, viewer), row.product_type)
  const crumbs = (row.path ?? []).map((link) => categoryLink(link, viewer))
  const seo = generateSeo({ title, description: description?.text ?? '' }, seoSource(title, row.tagging))
  const keywords = textIn(locales, 'seo_keywords')?.text ?? seo.seo_keywords
  const version = textIn(locales, 'version')?.text ?? row.version
  const summary = (textIn(locales, 'seo_description')?.text ?? seo.seo_description).slice(0, 2 * DESCRIPTION_MAX)
  const membership = openedBy(row, shop.running ?? [], viewer)
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
      has_bar: membership !== undefined || offers.some(({ is_deliverable }) => is_deliverable),
      json_ld: jsonLd([
        { ...productData({ title, summary, keywords, version, image, url, row, offers }), ...reviewData(shop.rating) },
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
      /** The groups whose members may use it. */
      included_in: includedIn(row, viewer),
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
      ...stockOf(row),
      /** Is it sold before there is a file to deliver? */
      is_pre_order: isPreOrder(row),
      /** Is there nothing to deliver yet, so that nothing of it is sold? */
      is_awaited: offers.length > 0 && !offers.some(({ is_deliverable }) => is_deliverable),
      /** Does the tax come on top of a price? */
      is_net: offers.some(({ is_net }) => is_net),
      /** How goods reach the visitor; nothing if there is nothing to send, or nobody says. */
      shipping: offers.some(({ is_shipped }) => is_shipped) ? shippingModel(viewer, row.weight ?? 0) : undefined,
      ...factsOf(row, version, viewer),
    },
    membership,
  }
}

function shippingModel(viewer: Viewer, grams: number) {
  const found = shippingFor(viewer, grams)
  if (found === undefined) return undefined
  return found === 'nowhere' ? { is_offered: false as const } : { is_offered: true as const, ...found }
}

/** An address that a browser opens as a page; undefined for anything else that an owner has written. */
function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

/** How many pieces can be bought; undefined if nobody counts them. */
function leftOf({ manage_stock, items_in_stock, stock_floor }: ProductRow): number | undefined {
  return manage_stock && items_in_stock !== null ? Math.max(0, items_in_stock - stock_floor) : undefined
}

function isSoldOut(row: ProductRow): boolean {
  return leftOf(row) === 0
}

function stockOf(row: ProductRow) {
  const left = leftOf(row)
  return {
    is_sold_out: left === 0,
    /** Are there more than a few? */
    is_in_stock: left !== undefined && left > FEW,
    /** How many are left, if they are few. */
    left: left !== undefined && left > 0 && left <= FEW ? left : undefined,
    /** How many can be bought at once. */
    quantity_max: Math.min(left ?? SHOWN_STOCK_MAX, SHOWN_STOCK_MAX),
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
  const { age } = row.tagging.tagging
  const isAhead = row.released_at !== null || isPreOrder(row)
  const availability = isSoldOut(row) ? 'OutOfStock' : isAhead ? 'PreOrder' : 'InStock'
  return {
    // A product alone has no age range at schema.org.
    '@type': isProgram
      ? ['Product', 'SoftwareApplication']
      : age === undefined
        ? 'Product'
        : ['Product', 'CreativeWork'],
    name: title,
    description: summary,
    keywords,
    sku: row.product_id,
    url,
    ...(image === undefined ? {} : { image }),
    ...(row.gtin === null || row.gtin === '' ? {} : { gtin: row.gtin }),
    ...(row.supplier ? { manufacturer: { '@type': 'Organization', name: row.supplier } } : {}),
    ...(isProgram && version !== '' ? { softwareVersion: version } : {}),
    ...(age === undefined ? {} : { typicalAgeRange: `${age}-` }),
    offers: offers.flatMap(({ price, title: name, is_deliverable }) =>
      price === undefined
        ? []
        : [
            {
              '@type': 'Offer',
              ...(name === undefined ? {} : { name }),
              url,
              price: (price.cents / 100).toFixed(2),
              priceCurrency: price.currency,
              availability: `https://schema.org/${is_deliverable ? availability : 'OutOfStock'}`,
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
