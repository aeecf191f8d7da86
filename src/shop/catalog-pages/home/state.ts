import type { StoredSection } from '#catalog/theme-settings/home/state.ts'
import type { CardRow, ShelfRow } from '../state.ts'

/** What was read for the home page. */
export type HomeRows = {
  /** The sections that are shown; undefined if the owner has arranged none. */
  sections: readonly StoredSection[] | undefined
  newest: CardRow[]
  shelves: ShelfRow[]
  /** The products that were chosen by hand, as far as they appear in the shop. */
  chosen: CardRow[]
}
