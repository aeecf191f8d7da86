import type { EntitlementState } from '#rights/entitlements/state.ts'
import type { PackingFacts } from '#rights/packing/state.ts'
import type { PublicationKind } from '#rights/publications/state.ts'
import type { Checked } from './checks/state.ts'
import type { Role } from './rules.ts'

export type Status = 'uploading' | 'ready' | 'refused'

/** A content file as it is stored. */
export type ContentFileState = Checked & {
  company_id: number
  id: number
  product_key: number
  name: string
  role: Role
  /** Empty: of no language. */
  language: string
  position: number
  status: Status
  /** Why it was refused, in words for the shop owner. */
  refusal: string | null
  content_type: string | null
  size: number | null
  sha256: string | null
  created_at: Date
  updated_at: Date
  ready_at: Date | null
  removed_at: Date | null
}

/** A file that can be sent. */
export type ReadyFile = ContentFileState & { content_type: string; size: number; sha256: string; ready_at: Date }

/** A file with what a reader sees of its product, its upload and its packing. */
export type ShownFile = ContentFileState & {
  product_id: string
  upload_id: string | null
  packing: PackingFacts | null
}

/** A file that can be sent, with the key under which its bytes are stored. */
export type FileOfPurchase = ReadyFile & {
  key: string
  /** 1: the license of the purchase names the buyer in PDFs and EPUBs. */
  stamp: number
  /** How it is given out, if it is protected: then nobody gets the file itself. */
  protection: Protection | null
  /** Is it played from encrypted segments? A recording that cannot be packed is played from its file. */
  is_streamed: boolean
}

/** Encrypted for reading apps, or played from encrypted segments and in no other way. */
export type Protection = PublicationKind | 'stream'

/** An entitlement with the files of its product, and the language of its customer. */
export type Grant = { entitlement: EntitlementState; language: string; files: FileOfPurchase[] }
