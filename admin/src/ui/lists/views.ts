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

/** Where a whole list is as a file, with the filters that are set. */
export function csvAddress(path: string, filters: object): string {
  const query = Object.entries({ ...filters, format: 'csv' }).map(([name, value]) => [name, String(value)])
  return `${path}?${new URLSearchParams(query)}`
}

/** Reads one of a few words from the address. */
export function oneIn<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}

/** Reads a day from the address: `2026-11-17`. */
export function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  return Number.isNaN(Date.parse(value)) ? undefined : value
}

/** The days from one to another, as the API takes them. They begin and end where the reader is. */
export function daysBetween(from: string | undefined, to: string | undefined) {
  const wire = (day: string, clock: string) => new Date(`${day}T${clock}`).toISOString().slice(0, 19)
  return {
    ...(from === undefined ? {} : { created_at_min: wire(from, '00:00:00') }),
    ...(to === undefined ? {} : { created_at_max: wire(to, '23:59:59') }),
  }
}

/** The same list with a part of it changed, from its beginning. What is undefined is left out. */
export function withFilter<Search extends ListSearch<string>>(
  search: Search,
  part: { [Part in keyof Search]?: Search[Part] | undefined },
): Search {
  const { before: _before, after: _after, ...list } = { ...search, ...part }
  return Object.fromEntries(Object.entries(list).filter(([, value]) => value !== undefined)) as Search
}
