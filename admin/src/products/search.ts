import { createSearchReader, type ListSearch } from '../ui/lists/views.ts'
import { PRODUCT_TYPES } from './types.gen.ts'

/** The views of products, with the filters that make them. */
export const VIEWS = {
  all: {},
  published: { published_status: 'published' },
  scheduled: { published_status: 'published' },
  hidden: { published_status: 'unpublished' },
  not_buyable: { sale_status: 'not_buyable' },
  low_stock: { low_stock: true },
} as const

export type ViewName = keyof typeof VIEWS

/** The orders of the list, as the API names them. Newest first needs no name in the address. */
export const SORTS = { newest: '-id', title: 'title', changed: '-updated_at' } as const

export type SortName = keyof typeof SORTS

/** A list that is not sorted by its ids is turned by what the service names the next page. */
export type ProductsSearch = ListSearch<ViewName> & {
  type?: number
  sort?: Exclude<SortName, 'newest'>
  cursor?: string
}

const readList = createSearchReader(VIEWS)

/** Reads from the address which products are shown. */
export function readProductsSearch(search: Record<string, unknown>): ProductsSearch {
  const { sort, cursor } = search
  const type = Number(search.type)
  const list = { ...readList(search), ...(PRODUCT_TYPES[type] === undefined ? {} : { type }) }
  if (sort !== 'title' && sort !== 'changed') return list
  const { before: _before, after: _after, ...others } = list
  const isCursor = typeof cursor === 'string' && /^[\w-]{1,4000}$/.test(cursor)
  return { ...others, sort, ...(isCursor ? { cursor } : {}) }
}
