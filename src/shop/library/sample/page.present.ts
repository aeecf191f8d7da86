import { filePath } from '#catalog/products/content-files.present.ts'
import { booksOf, chooseVersion, playedAs, readAs, stem, titlesOf } from '#rights/content-files/media.rules.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'

export type SampleFrame = { origin: string; url: string }

/** The book that the page opens: the one in the address, or the first if there is nothing to play. */
export function chooseBook(files: readonly FileOfPurchase[], fileId: number | undefined): FileOfPurchase | undefined {
  const books = booksOf(files)
  if (fileId !== undefined) return books.find(({ id }) => id === fileId)
  return titlesOf(files).length === 0 ? books[0] : undefined
}

type Sample = {
  product: { title: string; url: string; picture: { large: string } | undefined }
  files: readonly FileOfPurchase[]
  fileId: number | undefined
}

/** The values of the page on which everybody can try the sample of a shop; undefined for a file that it does not have. */
export function sampleModel({ product, files, fileId }: Sample, frame: SampleFrame | undefined) {
  const titles = titlesOf(files)
  const book = chooseBook(files, fileId)
  const played = book === undefined ? chooseVersion(titles, fileId) : undefined
  if (fileId !== undefined && book === undefined && played === undefined) return undefined
  const isOpened = (file: FileOfPurchase) => playedAs(file) !== undefined || readAs(file) !== undefined
  return {
    page: { title: product.title, is_private: true, is_full: frame !== undefined },
    product,
    /** What is played, if it is something to play. */
    played: played && {
      kind: played.title.kind,
      name: played.title.name,
      url: filePath(played.version.file),
    },
    /** What is read, if it is something to read. */
    book: book && { name: stem(book.name), file_id: book.id },
    /** The frame with the book. */
    frame,
    /** Everything that can be played. */
    titles: titles.map((title) => ({
      name: title.name,
      file_id: title.versions[0]?.file.id,
      is_current: title === played?.title,
    })),
    /** Everything that can be read. */
    books: booksOf(files).map((each) => ({ name: stem(each.name), file_id: each.id, is_current: each === book })),
    /** What can only be downloaded. */
    downloads: files
      .filter((file) => !isOpened(file) && file.role !== 'subtitles')
      .map((file) => ({ name: file.name, url: filePath(file) })),
  }
}
