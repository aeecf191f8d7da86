import { hostName, ownHost } from '#platform/wire/own-address.ts'

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
