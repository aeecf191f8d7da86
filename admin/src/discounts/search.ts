import { type Span, spanIn, wordsIn } from '../ui/lists/pages.ts'

export type WordsSearch = Span & { q?: string }

/** Reads from the address which codes are shown. */
export function readWordsSearch(search: Record<string, unknown>): WordsSearch {
  const q = wordsIn(search.q)
  return { ...(q === '' ? {} : { q }), ...spanIn(search) }
}
