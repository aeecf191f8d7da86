import { createSearchReader, type ListSearch } from '../ui/views.ts'

/** The views of products, with the filters that make them. */
export const VIEWS = {
  all: {},
  published: { published_status: 'published' },
  hidden: { published_status: 'unpublished' },
} as const

export type ViewName = keyof typeof VIEWS

export type ProductsSearch = ListSearch<ViewName>

/** Reads from the address which products are shown. */
export const readProductsSearch = createSearchReader(VIEWS)
