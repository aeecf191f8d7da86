import type { Picture } from '#catalog/pictures/rules.ts'
import type { TaxClass } from '#identity/addresses/tax-classes.facts.ts'
import type { StoredLocale } from './locales/rules.ts'
import type { Binding, Chapter, Entry, Group, Included, Tagging, Theme } from './parts/rules.ts'

/** The product of another company that a mirrored product shows. */
export type Original = { company_id: number; id: number }

/** The text that a locale adds to mails, cleaned: as HTML and as plain text. */
export type MailText = { language: string; html: string; text: string }

/** The part of a locale that mails show. */
export type MailLocale = Pick<StoredLocale, 'language' | 'title'> & { mail: Omit<MailText, 'language'> }

/** A content file as a product shows it. */
export type ProductFile = {
  id: number
  name: string
  role: string
  language: string
  status: string
  content_type: string | null
  size: number | null
}

/** Why a product cannot be sold in any shop. */
export type NotForSaleReason = 'not published' | 'no longer valid' | 'not released yet'

/** Why a product does not appear in a shop. If there are several reasons, the first of this list is reported. */
export type HiddenReason =
  | NotForSaleReason
  | 'no license and price'
  | 'a license is missing'
  | 'a license is no longer valid'
  | 'a price is missing'
  | 'a price is no longer valid'
  | 'not in this theme'
  | 'outside the time of its groups'
  | 'its categories are disabled'

/** A product with all its parts, as rules change it and presenters show it. */
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
  /** The original of a mirrored product, whose pictures it shows. */
  original: Original | null
  valid: boolean
  /** Is there something to deliver? A mirrored product has what its original has. */
  has_content: boolean
  supplier: string | null
  runtime: number | null
  gtin: string | null
  weight: number | null
  items_in_stock: number | null
  manage_stock: boolean
  tax_class: TaxClass
  locales: StoredLocale[]
  chapters: Chapter[]
  tagging: Tagging
  categories: Entry[]
  bindings: Binding[]
  themes: Theme[]
  groups: Group[]
  pictures: Picture[]
  /** The products that a collection or a variation includes, in their order. */
  included: Included[]
  /** The content files that are ready or were refused, in their order. */
  files: ProductFile[]
}
