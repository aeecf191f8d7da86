import type { Picture } from '#pictures/rules.ts'
import type { StoredLocale } from './locales.ts'
import type { Binding, Chapter, Entry, Group, Tagging, Theme } from './parts.ts'

/** The product of another company that a mirrored product shows. */
export type Original = { company_id: number; id: number }

/** A product with all its parts, in the service's own words: what rules change and presenters show. */
export type ProductState = {
  company_id: number
  id: number
  product_id: string
  title: string
  version: string
  comment: string
  product_type: number
  created_at: Date
  updated_at: Date
  published_at: Date | null
  published: boolean
  pre_sales: boolean
  drm_protected: boolean
  allow_download_trial: number
  attribute_set_id: number | null
  mirrored: boolean
  /** What a mirrored product shows; its pictures are the original's. */
  original: Original | null
  valid: boolean
  supplier: string | null
  runtime: number | null
  gtin: string | null
  weight: number | null
  items_in_stock: number | null
  manage_stock: boolean
  locales: StoredLocale[]
  chapters: Chapter[]
  tagging: Tagging
  categories: Entry[]
  bindings: Binding[]
  themes: Theme[]
  groups: Group[]
  pictures: Picture[]
}
