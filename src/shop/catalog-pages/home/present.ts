import type { StoredSection } from '#catalog/theme-settings/home/state.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'
import { type Card, cardOf, categoryLink, type LinkedCategory, type Viewer, wideFor } from '../cards.present.ts'
import type { ShelfRow } from '../state.ts'
import { SHELF_COUNT_MAX } from './rules.ts'
import type { HomeRows } from './state.ts'

export type Shelf = {
  /** What is written above it; nothing above the newest products, unless the owner has named them. */
  title: string | undefined
  /** The category that it shows; nothing for other products. */
  category: LinkedCategory | undefined
  /** How many products the category has; nothing if they are many. */
  count: number | undefined
  cards: Card[]
}

/** The large picture, the shelves, and the newest products, which are shown if there is no shelf. */
export function homeModel(
  rows: HomeRows,
  viewer: Viewer,
): { hero: Card | undefined; newest: Card[]; shelves: Shelf[] } {
  const { sections } = rows
  const cards = rows.newest.map((row) => cardOf(row, viewer))
  const chosen = new Map(rows.chosen.map((row) => [row.id, cardOf(row, viewer)]))
  const hero = withWide(heroOf(sections, cards, chosen), rows, viewer)
  const newest = cards.filter(({ id }) => id !== hero?.id)
  const ofCategories = new Map(
    [...Map.groupBy(rows.shelves, ({ category }) => category.id)].map(([id, shelf]) => [id, shelfOf(shelf, viewer)]),
  )
  if (sections === undefined)
    return { hero, newest, shelves: [...ofCategories.values()].flatMap((shelf) => shelf ?? []) }
  const shelves = sections.flatMap((section) => {
    const own = textIn(inOrder(section.locales, viewer.languages), 'title')?.text
    const shelf = {
      hero: () => undefined,
      newest: () => plainShelf(newest),
      category: () => ofCategories.get(section.category_id ?? 0),
      products: () => plainShelf(section.product_ids.flatMap((id) => chosen.get(id) ?? [])),
    }[section.kind]()
    return shelf === undefined || shelf.cards.length === 0 ? [] : [{ ...shelf, title: own ?? shelf.title }]
  })
  return { hero, newest: [], shelves }
}

/** The product that the owner has chosen, or else the newest one that has a picture. */
function heroOf(
  sections: readonly StoredSection[] | undefined,
  newest: readonly Card[],
  chosen: ReadonlyMap<number, Card>,
): Card | undefined {
  const section = sections?.find(({ kind }) => kind === 'hero')
  if (sections !== undefined && section === undefined) return undefined
  const [own] = section?.product_ids.flatMap((id) => chosen.get(id) ?? []) ?? []
  return own ?? newest.find(({ picture }) => picture !== undefined)
}

function withWide(hero: Card | undefined, { newest, chosen }: HomeRows, viewer: Viewer): Card | undefined {
  const row = [...chosen, ...newest].find(({ id }) => id === hero?.id)
  return hero && row && { ...hero, picture: wideFor(row.pictures, row.locales, viewer) }
}

function plainShelf(cards: Card[]): Shelf {
  return { title: undefined, category: undefined, count: undefined, cards }
}

function shelfOf(rows: readonly ShelfRow[], viewer: Viewer): Shelf | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const category = categoryLink(first.category, viewer)
  const count = first.count > SHELF_COUNT_MAX ? undefined : first.count
  return { title: category.title, category, count, cards: rows.map((row) => cardOf(row, viewer)) }
}
