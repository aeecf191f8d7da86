import { facetKey } from '#catalog/products/search/facets.rules.ts'
import { findMessage } from '#platform/text/messages.ts'

/** A genre in the visitor's language, if it is a common one; otherwise as the owner wrote it. */
export function genreName(language: string, name: string): string {
  const message = findMessage(language, `pages.genres.${facetKey(name)}`)
  return message === undefined ? name : message({})
}
