import type { Category } from '../products/queries.ts'

/** The categories at the top, in the order of the shop. */
export function topOf(categories: readonly Category[]): Category[] {
  return categories
    .filter(({ parent_id }) => parent_id === 0)
    .sort((one, other) => one.position - other.position || one.id - other.id)
}
