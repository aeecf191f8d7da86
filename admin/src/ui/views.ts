import { type Span, spanIn, wordsIn } from './pages.ts'

/** What the address of a list says: which view, which words, and which part. `all` is the view that needs no name. */
export type ListSearch<View extends string> = Span & { view?: View; q?: string }

/** Makes the reader of the address of a list with these views. What makes no sense in an address is left out. */
export function createSearchReader<View extends string>(views: Readonly<Record<View, object>>) {
  const isView = (value: unknown): value is View =>
    typeof value === 'string' && value !== 'all' && Object.hasOwn(views, value)
  return (search: Record<string, unknown>): ListSearch<View> => {
    const q = wordsIn(search.q)
    return {
      ...(isView(search.view) ? { view: search.view } : {}),
      ...(q === '' ? {} : { q }),
      ...spanIn(search),
    }
  }
}

/** The same view with other words, from its beginning. */
export function withWords<Search extends ListSearch<string>>(search: Search, words: string) {
  const { before: _before, after: _after, q: _q, ...view } = search
  return { ...view, ...(words === '' ? {} : { q: words }) }
}

/** Another part of the same list. */
export function withSpan<Search extends ListSearch<string>>(search: Search, span: Span) {
  const { before: _before, after: _after, ...list } = search
  return { ...list, ...span }
}
