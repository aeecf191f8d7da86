import { type Span, spanIn, wordsIn } from '../ui/pages.ts'

export type CustomersSearch = Span & { q?: string }

export function readCustomersSearch(search: Record<string, unknown>): CustomersSearch {
  const q = wordsIn(search.q)
  return { ...(q === '' ? {} : { q }), ...spanIn(search) }
}
