import type { Stamp } from './rules.ts'

/** A file of an entitlement. */
export type Purchase = { company_id: number; entitlement_id: number; file_id: number }

/** A stored file that a buyer gets a copy of. */
export type StampSource = Purchase & {
  /** The name of the file for people, such as `walden.epub`. */
  name: string
  source_key: string
}

/** A copy for one buyer: it is made, or it could not be made, or the worker is about to make it. */
export type StampedCopy =
  | { state: 'ready'; key: string; size: number; sha256: string }
  | { state: 'pending' }
  | { state: 'failed'; reason: string }

/** A copy that could not be made; null: its file is no longer one of the company's products. */
export type FailedCopy = Pick<
  StampedFileState,
  'id' | 'file_id' | 'entitlement_id' | 'name' | 'reason' | 'updated_at'
> & {
  product_id: string | null
}

/** A copy as it is stored. */
export type StampedFileState = StampSource & {
  id: number
  stamp: Stamp
  state: 'pending' | 'ready' | 'failed'
  reason: string | null
  key: string | null
  size: number | null
  sha256: string | null
  created_at: Date
  updated_at: Date
  used_at: Date
}
