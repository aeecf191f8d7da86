import { idIn, wordsIn } from '../ui/lists/pages.ts'
import { createSearchReader, dayIn, type ListSearch, oneIn } from '../ui/lists/views.ts'

/** How people of each list can stand. */
export const STATES = {
  newsletter: ['confirmed', 'pending', 'unsubscribed'],
  members: ['active', 'not_started', 'ended'],
  subscribers: ['active', 'ended'],
} as const

export type Part = keyof typeof STATES
export type State = (typeof STATES)[Part][number]

/** The filters that the address keeps beside the words. The days are those on which somebody's time ends. */
export type AudienceFilters = { state?: State; shop?: number; group?: string; from?: string; to?: string }

export type AudienceSearch = ListSearch<'all'> & AudienceFilters

const readList = createSearchReader({ all: {} })

/** Makes the reader of the address of one of the lists. */
export const createAudienceReader =
  (part: Part) =>
  (search: Record<string, unknown>): AudienceSearch => {
    const isNewsletter = part === 'newsletter'
    const filters = {
      state: oneIn<State>(STATES[part], search.state),
      shop: isNewsletter ? idIn(search.shop) : undefined,
      group: isNewsletter ? undefined : wordsIn(search.group) || undefined,
      from: isNewsletter ? undefined : dayIn(search.from),
      to: isNewsletter ? undefined : dayIn(search.to),
    }
    const given = Object.entries(filters).filter(([, value]) => value !== undefined)
    return { ...readList(search), ...Object.fromEntries(given) }
  }
