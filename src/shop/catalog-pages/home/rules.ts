import type { StoredSection } from '#catalog/theme-settings/home/state.ts'

/** The products of a category with more are not counted on the home page. */
export const SHELF_COUNT_MAX = 100

/** The sections that the home page shows; undefined if the owner has arranged none. */
export function visibleSections(sections: readonly StoredSection[] | null): StoredSection[] | undefined {
  return sections?.filter(({ hidden }) => !hidden)
}
