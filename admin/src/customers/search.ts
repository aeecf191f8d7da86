import { createSearchReader, dayIn, type ListSearch, oneIn } from '../ui/lists/views.ts'

export const STATES = ['enabled', 'disabled'] as const

/** The filters of customers that the address keeps beside the words. Days are those of the reader. */
export type CustomersFilters = { state?: (typeof STATES)[number]; from?: string; to?: string }

export type CustomersSearch = ListSearch<'all'> & CustomersFilters

const readList = createSearchReader({ all: {} })

/** Reads from the address which customers are shown. */
export function readCustomersSearch(search: Record<string, unknown>): CustomersSearch {
  const filters = { state: oneIn(STATES, search.state), from: dayIn(search.from), to: dayIn(search.to) }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return { ...readList(search), ...Object.fromEntries(given) }
}
