import { wordsIn } from '../ui/lists/pages.ts'

export type GroupsSearch = { q?: string }

/** Reads from the address which groups are shown. */
export function readGroupsSearch(search: Record<string, unknown>): GroupsSearch {
  const q = wordsIn(search.q)
  return q === '' ? {} : { q }
}
