import { createSearchReader, type ListSearch } from '../ui/views.ts'

/** The views of products, with the filters that make them. */
export const VIEWS = {
  all: {},
  published: { published_status: 'published' },
  hidden: { published_status: 'unpublished' },
  not_buyable: { sale_status: 'not_buyable' },
  low_stock: { low_stock: true },
} as const

export type ViewName = keyof typeof VIEWS

/** The orders of the list, as the API names them. Newest first needs no name in the address. */
export const SORTS = { newest: '-id', title: 'title', changed: '-updated_at' } as const

export type SortName = keyof typeof SORTS

/** A list that is not sorted by its ids is turned page by page. */
export type ProductsSearch = ListSearch<ViewName> & { sort?: Exclude<SortName, 'newest'>; page?: number }

const PAGES_MAX = 10_000

const readList = createSearchReader(VIEWS)

/** Reads from the address which products are shown. */
export function readProductsSearch(search: Record<string, unknown>): ProductsSearch {
  const { sort, page } = search
  const list = readList(search)
  if (sort !== 'title' && sort !== 'changed') return list
  const { before: _before, after: _after, ...others } = list
  const number = Number(page)
  const isPage = Number.isInteger(number) && number > 1 && number <= PAGES_MAX
  return { ...others, sort, ...(isPage ? { page: number } : {}) }
}
