import type { Picture } from '#catalog/pictures/rules.ts'

/** A stored locale of a category. */
export type StoredCategoryLocale = {
  id: number
  language: string
  title: string
  description: string
  seo_title: string
  seo_description: string
  seo_keywords: string
  picture_id: number | null
}

/** A category without its entries, which change independently and are joined when the category is read. */
export type CategoryState = {
  company_id: number
  id: number
  title: string
  comment: string
  enabled: boolean
  parent_id: number | null
  position: number
  locales: StoredCategoryLocale[]
  created_at: Date
  updated_at: Date
  pictures: Picture[]
}
