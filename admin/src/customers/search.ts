import { createSearchReader, type ListSearch } from '../ui/views.ts'

export type CustomersSearch = ListSearch<'all'>

/** Reads from the address which customers are shown. */
export const readCustomersSearch = createSearchReader({ all: {} })
