import type { ZipDirectory } from '#platform/zip/writer.ts'

/** What is encrypted as a whole: a book, a document, or all tracks of a recording. */
export type PublicationKind = 'epub' | 'pdf' | 'audiobook'

/** A stored file that belongs to a publication. */
export type Part = {
  key: string
  sha256: string
  /** The name of the file for people, such as `walden.epub`. */
  name: string
  content_type: string
  size: number
  /** In seconds; null where nobody knows, and for books. */
  duration: number | null
}

/** What is to be encrypted, for the company whose files they are. */
export type PublicationSource = { company_id: number; kind: PublicationKind; title: string; parts: Part[] }

/** A publication as it is stored: encrypted once, and the same for all buyers. */
export type PublicationState = PublicationSource & {
  id: number
  source: string
  content_key: Buffer
  state: 'pending' | 'ready' | 'failed'
  reason: string | null
  key: string | null
  size: number | null
  sha256: string | null
  directory: ZipDirectory | null
  created_at: Date
  updated_at: Date
}

/** A publication that can be sent. */
export type ReadyPublication = PublicationState & { key: string; size: number; sha256: string; directory: ZipDirectory }

/** A publication as the owner of its files sees it; null: its file is no longer that of a product. */
export type ShownPublication = Pick<PublicationState, 'id' | 'kind' | 'title' | 'state' | 'reason' | 'updated_at'> & {
  file_id: number | null
  product_id: string | null
}
