import { filesOf } from '#rights/content-files/access.rules.ts'
import { booksOf, readAs, stem } from '#rights/content-files/media.rules.ts'
import type { Code } from '#rights/entitlements/rights/rules.ts'
import { presentOwned } from '../my-content/library.present.ts'
import { decideNow, type Playing, refusalOf } from '../player/page.present.ts'

export type Opened = { code: Code; frame: { origin: string; url: string } | undefined }

/** The values of the page on which something is read; undefined if nothing can be. */
export function readerModel(book: Playing, opened: Opened | undefined, now: Date) {
  const { grant, positions, fileId, base } = book
  const books = booksOf(filesOf(grant))
  const latest = positions.find(({ file_id }) => books.some(({ id }) => id === file_id))
  const wanted = fileId ?? latest?.file_id
  const file = wanted === undefined ? books[0] : books.find(({ id }) => id === wanted)
  if (file === undefined) return undefined
  const position = positions.find(({ file_id }) => file_id === file.id)
  const { item } = presentOwned(grant, book.part, book, now)
  return {
    page: { title: item.title, is_private: true, is_full: true },
    item,
    /** The page from which the customer came. */
    back: book.back,
    /** The beginning of the addresses of its forms. */
    place: `${base}/my-content/${grant.entitlement.id}`,
    file_id: file.id,
    kind: readAs(file),
    /** Where the customer stopped; empty at the beginning. */
    position: position?.place ?? '',
    /** The frame with the book, once the customer has pressed Read. */
    frame: opened?.frame,
    /** Why it cannot be read, and one thing to do about it. */
    refusal: refusalOf(book, opened?.code ?? decideNow(book, now), now),
    /** Everything that can be read. */
    books: books.map((each) => ({ name: stem(each.name), file_id: each.id, is_current: each === file })),
  }
}
