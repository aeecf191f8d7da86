import { hostName, ownHost } from '#platform/wire/own-address.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'

/** How a file is read in a page; undefined for other files. */
export function readAs({ content_type, role }: { content_type: string; role: string }): 'pdf' | 'epub' | undefined {
  if (role === 'subtitles' || role === 'trailer' || role === 'preview') return undefined
  if (content_type === 'application/pdf') return 'pdf'
  return content_type === 'application/epub+zip' ? 'epub' : undefined
}

/** The files of a purchase that can be read in a page, the best first. */
export function booksOf(files: readonly FileOfPurchase[]): FileOfPurchase[] {
  return files.filter((file) => readAs(file) !== undefined)
}

/**
 * The origin on which the books of a shop are shown. It is none of the shop's, so that nothing in a book can reach the
 * pages or the cookies of the shop.
 */
export function readerOrigin(shopId: number, baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl)
  return `${protocol}//reader-${shopId}.${ownHost(baseUrl)}${port === '' ? '' : `:${port}`}`
}

/** Is this the host on which the books of a shop are shown? */
export function isReaderHost(host: string, shopId: number, baseUrl: string): boolean {
  return hostName(host) === new URL(readerOrigin(shopId, baseUrl)).hostname
}
