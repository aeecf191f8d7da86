import { type Span, spanIn, wordsIn } from '../ui/pages.ts'

/** The views of products, with the filters that make them. */
export const VIEWS = {
  all: {},
  published: { published_status: 'published' },
  hidden: { published_status: 'unpublished' },
} as const

export type ViewName = keyof typeof VIEWS

export type ProductsSearch = Span & { view?: ViewName; q?: string }

const isView = (value: unknown): value is ViewName => typeof value === 'string' && Object.hasOwn(VIEWS, value)

export function readProductsSearch(search: Record<string, unknown>): ProductsSearch {
  const q = wordsIn(search.q)
  return {
    ...(isView(search.view) && search.view !== 'all' ? { view: search.view } : {}),
    ...(q === '' ? {} : { q }),
    ...spanIn(search),
  }
}
