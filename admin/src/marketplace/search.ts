import { idIn, type Span, spanIn, wordsIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'

export type BrowseSearch = Span & {
  q?: string
  /** A type of product. */
  type?: number
  /** The entry of one company. */
  market?: number
}

/** Reads from the address which products of others are shown. */
export function readBrowseSearch(search: Record<string, unknown>): BrowseSearch {
  const [q, type, market] = [wordsIn(search.q), idIn(search.type), idIn(search.market)]
  return {
    ...(q === '' ? {} : { q }),
    ...(type === undefined ? {} : { type }),
    ...(market === undefined ? {} : { market }),
    ...spanIn(search),
  }
}

export const MIRROR_STATES = ['shown', 'hidden', 'not_offered'] as const

export type MirrorsSearch = Span & { q?: string; state?: (typeof MIRROR_STATES)[number] }

/** Reads from the address which products of others in the own shop are shown. */
export function readMirrorsSearch(search: Record<string, unknown>): MirrorsSearch {
  const [q, state] = [wordsIn(search.q), oneIn(MIRROR_STATES, search.state)]
  return { ...(q === '' ? {} : { q }), ...(state === undefined ? {} : { state }), ...spanIn(search) }
}
