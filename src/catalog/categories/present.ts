import { pictureSrc } from '#catalog/pictures/present.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { Category } from './schema.ts'
import type { CategoryState } from './state.ts'

/** A category as the API shows it, without its entries, which a read joins. */
export function presentCategory(category: CategoryState): Omit<Category, 'entries'> {
  return {
    id: category.id,
    title: category.title,
    comment: category.comment,
    created_at: wireTime(category.created_at),
    enabled: category.enabled,
    parent_id: category.parent_id ?? 0,
    position: category.position,
    locales: category.locales.map(({ picture_id, ...locale }) => {
      const picture = category.pictures.find(({ id }) => id === picture_id)
      return { ...locale, src: picture === undefined ? '' : pictureSrc(category.company_id, picture) }
    }),
  }
}
