import type { Picture } from '#pictures/rules.ts'

/** A locale of a category as it is kept. */
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

/** A category without its entries: those change on their own, and are joined when it is read. */
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
