import { type Span, spanIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'

export const STATES = ['left', 'given', 'replaced'] as const
export type KeysSearch = Span & { state?: (typeof STATES)[number] }

/** Reads from the address which keys are shown. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const state = oneIn(STATES, search.state)
  return { ...(state === undefined ? {} : { state }), ...spanIn(search) }
}
