import { wordsIn } from '#platform/text/tokenize.ts'
import type { ProductState } from '../state.ts'

/**
 * `@1000` stands for the company: without it, an index would return the products of all companies. The words of the texts
 * contain those of the titles, so that a search by the index of texts finds titles too.
 */
export function wordsOf({ company_id, title, locales }: Pick<ProductState, 'company_id' | 'title' | 'locales'>) {
  const titles = new Set([
    companyWord(company_id),
    ...wordsIn([title, ...locales.map((locale) => locale.title)].join(' ')),
  ])
  const texts = new Set([...titles, ...wordsIn(locales.map(({ description }) => description).join(' '))])
  return { titles: [...titles], texts: [...texts] }
}

function companyWord(companyId: number): string {
  return `@${companyId}`
}

/**
 * What finds the products of a company that have all the words of a search, for PostgreSQL; undefined if there are no words.
 * The last word may be a part of one.
 */
export function queryFor(companyId: number, search: string): string | undefined {
  const words = wordsIn(search)
  if (words.length === 0) return undefined
  return `${[companyWord(companyId), ...words].map((word) => `'${word}'`).join(' & ')}:*`
}

/** Does a shop show a product, as far as the product itself decides? */
export function isShown({ published, valid }: ProductState): boolean {
  return published && valid
}

/** Is a product found by other words now, or shown instead of hidden? */
export function isFoundOtherwise(before: ProductState | undefined, after: ProductState): boolean {
  return (
    before === undefined ||
    before.title !== after.title ||
    before.locales !== after.locales ||
    isShown(before) !== isShown(after)
  )
}
