/**
 * A URL that a page can link to. It has to be absolute, because a browser would read a relative one as a page of the
 * shop.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
