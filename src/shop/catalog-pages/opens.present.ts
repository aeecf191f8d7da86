import { FORMATS } from '#catalog/products/search/formats.facts.ts'
import { playedAs, readAs } from '#rights/content-files/media.rules.ts'
import { clausesOf } from '#rights/entitlements/rights/clauses.rules.ts'
import { mayDownload } from '#rights/entitlements/rights/rules.ts'
import { readTerms } from '#rights/entitlements/rules.ts'
import type { OfferRow, ProductRow } from './state.ts'

/** What a buyer can do with a file in a page: the first of these that the files of an offer allow. */
const USES = ['watch', 'listen', 'read'] as const
type Use = (typeof USES)[number]

type Content = NonNullable<ProductRow['contents']>[number]

function useOf(file: Content): Use | undefined {
  if (file.role === 'extra') return undefined
  const media = playedAs(file)
  if (media !== undefined) return media === 'video' ? 'watch' : 'listen'
  return readAs(file) === undefined ? undefined : 'read'
}

/** What can be done with the files of a product in a page, the first of which says what it is. */
export function usesOf({ contents }: ProductRow): Use[] {
  return USES.filter((each) => contents?.some((file) => useOf(file) === each))
}

/** Does the license let a buyer play or read in a page, and download? Without a license nothing is limited. */
function allowedBy({ product_type }: ProductRow, { license, num_users }: OfferRow) {
  if (license === null) return { play: true, download: true }
  const terms = readTerms(license)
  const clauses = clausesOf({ terms, product_type, users: num_users ?? 1 })
  return { play: !clauses.some(({ kind }) => kind === 'no playing'), download: mayDownload(terms) }
}

/**
 * How an offer is used in the browser: the key of the text that says it, and the formats of the downloads. Undefined if
 * there are no such files, or the license does not allow it. Only an offer in HD includes the HD files of a film.
 */
export function opensOf(product: ProductRow, offer: OfferRow, isHdIncluded: boolean, language: string) {
  const files = (product.contents ?? []).filter(({ role }) => isHdIncluded || role !== 'main_hd')
  const allowed = allowedBy(product, offer)
  const use = allowed.play ? USES.find((each) => files.some((file) => useOf(file) === each)) : undefined
  if (use === undefined) return undefined
  const used = files.filter((file) => useOf(file) === use)
  const names = [...new Set(used.flatMap(({ content_type }) => FORMATS[content_type] ?? []))].sort()
  const formats = allowed.download ? new Intl.ListFormat(language).format(names) : ''
  const way = !allowed.download ? '' : formats === '' ? '_or_download' : '_or_download_as'
  return { icon: use === 'read' ? 'book' : 'play', text: `product.opens.${use}${way}`, formats }
}
