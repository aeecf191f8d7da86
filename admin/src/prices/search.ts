import { wordsIn } from '../ui/lists/pages.ts'

/** Which prices are listed: those with some words, and the page of them. */
export type PricesSearch = { q?: string; page?: number }

const PAGES_MAX = 10_000

/** Reads from the address which prices are shown. */
export function readPricesSearch({ q, page }: Record<string, unknown>): PricesSearch {
  const words = wordsIn(q)
  const number = Number(page)
  const isPage = Number.isInteger(number) && number > 1 && number <= PAGES_MAX
  return { ...(words === '' ? {} : { q: words }), ...(isPage ? { page: number } : {}) }
}
