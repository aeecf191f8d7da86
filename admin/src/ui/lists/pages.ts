import type { Listing } from '@licet/client'

/** Which part of a list is shown: what is older than one entry, or newer than another. The address keeps it. */
export type Span = { before?: number; after?: number }

export type ListPage<Row> = { rows: Row[]; hasNewer: boolean; hasOlder: boolean }

/** How many rows a screen shows. */
export const ROWS = 50

export type PageQuery = { limit: number; sort?: 'id' | '-id'; before_id?: number; since_id?: number }

/**
 * Reads a page by key, newest first: it costs the same wherever it lies, and rows that are added meanwhile shift nothing.
 * One row more says whether there is another page.
 */
export async function readPage<Row extends { id: number }>(
  list: (query: PageQuery) => Listing<Row>,
  { before, after }: Span,
  most = ROWS,
): Promise<ListPage<Row>> {
  const isUpwards = after !== undefined
  const rows = await firstPage(
    list(
      isUpwards
        ? { limit: most + 1, sort: 'id', since_id: after }
        : { limit: most + 1, sort: '-id', ...(before === undefined ? {} : { before_id: before }) },
    ),
  )
  const hasMore = rows.length > most
  const shown = rows.slice(0, most)
  if (isUpwards) return { rows: shown.reverse(), hasNewer: hasMore, hasOlder: true }
  return { rows: shown, hasNewer: before !== undefined, hasOlder: hasMore }
}

/** A page of a list that is not in the order of its ids, with the cursors of the pages beside it. */
export type SortedPage<Row> = ListPage<Row> & { previous?: string | undefined; next?: string | undefined }

type CursorQuery = { limit: number; cursor?: string }

/** Reads such a page by key too: the service says where the others begin. */
export async function readSortedPage<Row>(
  list: (query: CursorQuery, onHeaders: (headers: Headers) => void) => Listing<Row>,
  cursor: string | undefined,
): Promise<SortedPage<Row>> {
  let link = ''
  const onHeaders = (headers: Headers) => {
    link = headers.get('link') ?? ''
  }
  const rows = await firstPage(list({ limit: ROWS, ...(cursor === undefined ? {} : { cursor }) }, onHeaders))
  const [previous, next] = [cursorIn(link, 'prev'), cursorIn(link, 'next')]
  return { rows, hasNewer: previous !== undefined, hasOlder: next !== undefined, previous, next }
}

function cursorIn(link: string, rel: 'prev' | 'next'): string | undefined {
  const address = link.split(', ').find((part) => part.endsWith(`rel="${rel}"`))
  const url = /<([^<>]*)>/.exec(address ?? '')?.[1]
  return url === undefined ? undefined : (new URL(url).searchParams.get('cursor') ?? undefined)
}

/** The rows of the first page of a list, and nothing more. */
export async function firstPage<Row>(listing: Listing<Row>): Promise<Row[]> {
  for await (const page of listing.pages()) return page
  return []
}

/** Reads an id from the address. */
export function idIn(value: unknown): number | undefined {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Reads words from the address. */
export function wordsIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : ''
}

/** The part of an address that says where in a list somebody is. */
export function spanIn({ before, after }: Record<string, unknown>): Span {
  const [older, newer] = [idIn(before), idIn(after)]
  if (older !== undefined) return { before: older }
  return newer === undefined ? {} : { after: newer }
}
