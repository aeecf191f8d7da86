import type { ProductState } from '../state.ts'

/** The parts of a product that a change can touch, each with the name that it has in a file of products. */
export const PARTS = {
  title: 'title',
  version: 'version',
  comment: 'comment',
  published_at: 'published_at',
  published: 'published',
  pre_sales: 'pre_sales',
  allow_download_trial: 'product_type',
  attribute_set_id: 'product_type',
  supplier: 'supplier',
  runtime: 'runtime',
  gtin: 'gtin',
  weight: 'weight',
  items_in_stock: 'items_in_stock',
  manage_stock: 'items_in_stock',
  tax_class: 'tax_class',
  locales: 'description',
  chapters: 'runtime',
  tagging: 'year',
  categories: 'category',
  bindings: 'price',
  themes: 'status',
  groups: 'status',
  pictures: 'image',
  included: 'product_type',
} as const satisfies Partial<Record<keyof ProductState, string>>

export type Part = keyof typeof PARTS

/** Parts of a product as JSON: as they were, or as a change has left them. */
export type Parts = Partial<Record<Part, unknown>>

const NAMES = Object.keys(PARTS) as Part[]

/** What can be compared later: a picture that was fetched since, or a place in a category, is no change of the product. */
function comparable(product: ProductState): Parts {
  const { pictures, categories, ...rest } = product
  const parts = {
    ...rest,
    pictures: pictures.map(({ id, source_url, position }) => ({ id, source_url, position })),
    categories: categories.map(({ category_id }) => category_id).sort((one, other) => one - other),
  }
  return JSON.parse(JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, parts[name]]))))
}

/** A text that is the same as long as nobody has changed the product. */
export function printOf(product: ProductState): string {
  return JSON.stringify(comparable(product))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What a change has changed: as it was, to be restored, and as it is now, to be compared. */
export function changedParts(before: ProductState, after: ProductState): { before: Parts; after: Parts } {
  const [old, fresh] = [comparable(before), comparable(after)]
  const changed = NAMES.filter((name) => !isSame(old[name], fresh[name]))
  const pick = (parts: Parts) => Object.fromEntries(changed.map((name) => [name, parts[name]]))
  return { before: pick(JSON.parse(JSON.stringify(before))), after: pick(fresh) }
}

/** The parts of a change that are still as it has left them, and those that somebody has changed since. */
export function compareParts(product: ProductState, after: Parts): { same: Part[]; changed: Part[] } {
  const now = comparable(product)
  const names = NAMES.filter((name) => name in after)
  // What people know by one name goes together: a stock is not counted without its number.
  const others = new Set(names.filter((name) => !isSame(now[name], after[name])).map((name) => PARTS[name]))
  return {
    same: names.filter((name) => !others.has(PARTS[name])),
    changed: names.filter((name) => others.has(PARTS[name])),
  }
}

/** The names of parts as people know them from the file, each once. */
export function namesOfParts(parts: readonly Part[]): string[] {
  return [...new Set(parts.map((part) => PARTS[part]))]
}

/** These parts of a product as they were. */
export function withFormer(product: ProductState, before: Parts, names: readonly Part[], now: Date): ProductState {
  const former = Object.fromEntries(names.map((name) => [name, revived(name, before[name])]))
  return { ...product, ...former, updated_at: now }
}

/** Times that are texts in JSON. */
const TIMES = new Set(['published_at', 'created_at', 'start_at', 'end_at'])

function revived(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => revived('', each))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, revived(field, each)]))
  return TIMES.has(name) && typeof value === 'string' ? new Date(value) : value
}
