/** All entries of a list, fetched page by page while they are read. */
export type Listing<Entry> = AsyncIterable<Entry> & {
  /** The same entries, as the pages in which they come. */
  pages(): AsyncIterable<Entry[]>
}

export type Page<Entry> = { entries: Entry[]; next: string | undefined }

/** `fetchPage` gets the query of the next page, or undefined for the first one. */
export function createListing<Entry>(fetchPage: (query?: string) => Promise<Page<Entry>>): Listing<Entry> {
  async function* pages() {
    let page = await fetchPage()
    yield page.entries
    while (page.next !== undefined) {
      page = await fetchPage(page.next)
      yield page.entries
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const entries of pages()) yield* entries
    },
  }
}

/**
 * The query of the next page, from the header `Link`. Only the query is used: the token must not go to another address,
 * and the service may know itself by another name than the one that this client reaches it by.
 */
export function nextQuery(headers: Headers): string | undefined {
  const address = /<([^<>]*)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return address?.includes('?') ? address.slice(address.indexOf('?') + 1) : undefined
}
