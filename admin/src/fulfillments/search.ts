import { type Span, spanIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'

export const VIEWS = ['open', 'shipped'] as const
export type FulfillmentsSearch = Span & { view?: 'shipped' }

/** Reads from the address which parcels are shown. */
export function readFulfillmentsSearch(search: Record<string, unknown>): FulfillmentsSearch {
  const view = oneIn(['shipped'] as const, search.view)
  return { ...(view === undefined ? {} : { view }), ...spanIn(search) }
}
