import type { AttentionKind } from './schema.ts'

/** Some things of a kind, of which none or many need somebody. */
export type Found = { kind: AttentionKind; count: number; subject?: string | undefined; subjectId?: number | undefined }

/** What a caller may read. */
export type Rights = {
  orders: boolean
  payments: boolean
  products: boolean
  files: boolean
  webhooks: boolean
  service: boolean
}
