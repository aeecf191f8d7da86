import { type Amount, resolvePrice } from '#catalog/prices/rules.ts'
import type { PriceForSale } from '#catalog/products/sale/state.ts'
import { type Medium, mediumOf } from '#catalog/products/types.facts.ts'
import { genreName } from '#shop/site/genres.rules.ts'
import { categoryPath, productPath } from '#shop/site/paths.rules.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { type Market, showsNet, withTax } from './shown-prices/rules.ts'
import type { CardRow, CategoryLink, PartRow, PictureRow, TitleRow } from './state.ts'

/** The visitor that a title and a picture are shown to. */
export type Reader = Pick<ShopVisit, 'languages' | 'base'>

/** The visitor that something is offered to, and the currency rates of the day. */
export type Viewer = Reader & Pick<ShopVisit, 'language'> & Market

/** The shape of the pictures of a medium. */
const ART: Readonly<Partial<Record<Medium, string>>> = {
  film: 'poster',
  audio: 'square',
  book: 'book',
  collection: 'square',
}

/** What a product is. */
export type Kind = {
  /** The word for it is the text `kinds.{kind}`. */
  kind: Medium
  /** The shape of its pictures: `poster`, `square`, `book` or `goods`. */
  art: string
}

export function kindOf(productType: number): Kind {
  const kind = mediumOf(productType)
  return { kind, art: ART[kind] ?? 'goods' }
}

const WIDTHS = [160, 320, 640, 1280]

/** A picture with the sizes in which the service has it. */
export type Picture = {
  /** The address of a middle size. */
  src: string
  /** The addresses of all sizes, for the attribute of the same name. */
  srcset: string | undefined
  /** The address of the largest size. */
  large: string
  width: number | null
  height: number | null
  is_wide: boolean
}

export function pictureOf({ company_id, id, file, width, height }: PictureRow): Picture {
  const folder = `/pictures/${company_id}/${id}`
  const hash = file.split('.')[0] ?? ''
  const widths = WIDTHS.filter((size) => width === null || size < width * 2)
  const sized = (size: number) => `${folder}/${hash}_${size}.webp`
  return {
    src: widths.length === 0 ? `${folder}/${file}` : sized(widths.includes(640) ? 640 : (widths.at(-1) ?? 160)),
    srcset: widths.length === 0 ? undefined : widths.map((size) => `${sized(size)} ${size}w`).join(', '),
    large: widths.includes(1280) ? sized(1280) : `${folder}/${file}`,
    width,
    height,
    is_wide: width !== null && height !== null && width > 1.3 * height,
  }
}

/** The picture of the reader's language, then those for everybody. */
function inOrderFor(
  pictures: readonly PictureRow[] | null,
  locales: readonly TitleRow[],
  languages: readonly string[],
) {
  const own = inOrder(locales, languages).find(({ picture_id }) => picture_id !== null)?.picture_id
  const all = pictures ?? []
  return [...all.filter(({ id }) => id === own), ...all.filter(({ position }) => position !== null)]
}

/** Frames of these shapes are higher than they are wide. */
const TALL = new Set(['poster', 'book'])

/** The picture of a product in a list. A wide one would lose its sides in a tall frame, so another is taken if there is one. */
function pictureFor({ product_type, pictures, locales }: PartRow, viewer: Reader): Picture | undefined {
  const all = picturesFor(pictures, locales, viewer)
  const fitting = TALL.has(kindOf(product_type).art) ? all.find(({ is_wide }) => !is_wide) : undefined
  return fitting ?? all[0]
}

/** The picture of a product for a frame that is as wide as the page. */
export function wideFor(
  pictures: readonly PictureRow[] | null,
  locales: readonly TitleRow[],
  viewer: Reader,
): Picture | undefined {
  const all = picturesFor(pictures, locales, viewer)
  return all.find(({ is_wide }) => is_wide) ?? all[0]
}

/** The pictures of a product for a reader. */
export function picturesFor(
  pictures: readonly PictureRow[] | null,
  locales: readonly TitleRow[],
  viewer: Reader,
): Picture[] {
  return inOrderFor(pictures, locales, viewer.languages).map(pictureOf)
}

/** The first picture of a product for a reader, for mails and others that choose a size of their own. */
export function coverOf({ pictures, locales }: PartRow, languages: readonly string[]): PictureRow | undefined {
  return inOrderFor(pictures, locales, languages)[0]
}

export function titleFor(row: { title: string; locales: readonly TitleRow[] }, viewer: Reader): string {
  return textIn(inOrder(row.locales, viewer.languages), 'title')?.text ?? row.title
}

export function amountFor(price: PriceForSale | null, { country, currency, rates }: Viewer): Amount | undefined {
  return price === null ? undefined : resolvePrice(price, { country, currency, rates })
}

/** Is it sold before there is a file to deliver? */
export function isPreOrder({ pre_sales, has_content }: Pick<CardRow, 'pre_sales' | 'has_content'>): boolean {
  return pre_sales && !has_content
}

/** A product in a list. */
export type Card = Kind & {
  id: number
  product_id: string
  /** In how many ways it is sold. */
  offers: number
  title: string
  url: string
  picture: Picture | undefined
  genre: string | undefined
  year: number | null
  /** What goods are, in a few words of their owner. */
  note: string | undefined
  /** In seconds. */
  runtime: number | null
  /** The time of its release, if that lies ahead. */
  released_at: Date | null
  /** Is it sold before it is there? */
  is_pre_order: boolean
  /** The lowest price; nothing if it has no price for this visitor. */
  price: Amount | undefined
  /** Are there dearer offers, so that the price is a lowest one? */
  is_from: boolean
}

export function cardOf(row: CardRow, viewer: Viewer): Card {
  const title = titleFor(row, viewer)
  const amounts = row.prices.flatMap((price) => {
    const amount = amountFor(price, viewer)
    if (amount === undefined) return []
    return showsNet(viewer) ? amount : withTax(amount, price, row, viewer)
  })
  const [lowest] = amounts.toSorted((a, b) => a.cents - b.cents)
  return {
    id: row.id,
    product_id: row.product_id,
    offers: row.prices.length,
    title,
    url: `${viewer.base}${productPath(row.id, title)}`,
    ...kindOf(row.product_type),
    picture: pictureFor(row, viewer),
    genre: row.genre === null ? undefined : genreName(viewer.language, row.genre),
    year: row.year,
    note: textIn(inOrder(row.versions ?? [], viewer.languages), 'version')?.text,
    runtime: row.runtime,
    released_at: row.released_at,
    is_pre_order: isPreOrder(row),
    price: lowest,
    is_from: new Set(amounts.map(({ cents }) => cents)).size > 1,
  }
}

/** A product inside a collection, a variation, a cart or an order. */
export type Part = Kind & {
  id: number
  product_id: string
  title: string
  /** In seconds. */
  runtime: number | null
  /** The title of the product itself, in whatever language its owner wrote it. */
  own_title: string
  url: string
  picture: Picture | undefined
}

/** A product that somebody owns. */
export type OwnedPart = Part & { is_protected: boolean }

export function partOf(row: PartRow, viewer: Reader): Part {
  const title = titleFor(row, viewer)
  return {
    id: row.id,
    product_id: row.product_id,
    title,
    ...kindOf(row.product_type),
    runtime: row.runtime,
    own_title: row.title,
    url: `${viewer.base}${productPath(row.id, title)}`,
    picture: pictureFor(row, viewer),
  }
}

/** The title of something that was sold, for its buyer: one that was renamed since keeps the title that was bought. */
export function titleOfSold(title: string, part: Part | undefined): string {
  return part !== undefined && part.own_title === title ? part.title : title
}

/** A link to a category. */
export type LinkedCategory = { title: string; url: string }

export function categoryLink(row: CategoryLink, viewer: Viewer): LinkedCategory {
  const title = textIn(inOrder(row.locales, viewer.languages), 'title')?.text ?? row.title
  return { title, url: `${viewer.base}${categoryPath(row.id, title)}` }
}
