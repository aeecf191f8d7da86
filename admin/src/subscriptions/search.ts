import { idIn, wordsIn } from '../ui/lists/pages.ts'
import { createSearchReader, type ListSearch, oneIn } from '../ui/lists/views.ts'

/** How a subscription can stand, in the order of its life. */
export const STATES = ['incomplete', 'trialing', 'active', 'past_due', 'paused', 'cancelled', 'ended'] as const
export type State = (typeof STATES)[number]

/** The filters that the address keeps beside the words. */
export type SubscriptionsFilters = { state?: State; group?: string; plan?: number }
export type SubscriptionsSearch = ListSearch<'all'> & SubscriptionsFilters

const readList = createSearchReader({ all: {} })

/** Reads from the address which subscriptions are shown. What makes no sense is left out. */
export function readSubscriptionsSearch(search: Record<string, unknown>): SubscriptionsSearch {
  const filters = {
    state: oneIn(STATES, search.state),
    group: wordsIn(search.group) || undefined,
    plan: idIn(search.plan),
  }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return { ...readList(search), ...Object.fromEntries(given) }
}
