import { wordsIn } from '#platform/text/tokenize.ts'
import type { ProductState } from '../state.ts'
import { facetsOf, marksOf } from './facets.rules.ts'

/**
 * `@1000` stands for the company: without it, an index would return the products of all companies. The words of the texts
 * contain those of the titles, so that a search by the index of texts finds titles too.
 */
export function wordsOf(product: ProductState) {
  const { company_id, title, locales } = product
  const facets = facetsOf(product)
  const titles = new Set([
    companyWord(company_id),
    ...marksOf(facets, product),
    ...wordsIn([title, ...locales.map((locale) => locale.title)].join(' ')),
  ])
  const texts = new Set([...titles, ...wordsIn(locales.map(({ description }) => description).join(' '))])
  return { facets, titles: [...titles], texts: [...texts] }
}

function companyWord(companyId: number): string {
  return `@${companyId}`
}

/** The words by which something of a company with this title is found. */
export function wordsOfTitle(companyId: number, title: string): string[] {
  return [...new Set([companyWord(companyId), ...wordsIn(title)])]
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

/** What finds the products of a company that have one mark of every group, and all the words of a search. */
export function queryForMarks(companyId: number, groups: readonly (readonly string[])[], search = ''): string {
  const quoted = (mark: string) => `'${mark.replace(/['\\]/g, '$&$&')}'`
  const marked = groups.map((marks) => `(${marks.map(quoted).join(' | ')})`)
  return [...marked, queryFor(companyId, search) ?? quoted(companyWord(companyId))].join(' & ')
}

/** Does a shop show a product, as far as the product itself decides? */
export function isShown({ published, valid }: ProductState): boolean {
  return published && valid
}

/** Is a product found by other words or filters now, or shown instead of hidden? */
export function isFoundOtherwise(before: ProductState | undefined, after: ProductState): boolean {
  return (
    before === undefined ||
    before.title !== after.title ||
    before.locales !== after.locales ||
    isShown(before) !== isShown(after) ||
    before.categories !== after.categories ||
    before.bindings !== after.bindings ||
    JSON.stringify([facetsOf(before), before.tagging]) !== JSON.stringify([facetsOf(after), after.tagging])
  )
}
