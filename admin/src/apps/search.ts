import { idIn, type Span, spanIn, wordsIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'
import type { DeliveryState } from './queries.ts'

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed']

/** Which webhook is shown, and which of its deliveries. */
export type WebhooksSearch = Span & { webhook?: number; state?: DeliveryState }

export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const [webhook, state] = [idIn(search.webhook), oneIn(STATES, search.state)]
  return {
    ...(webhook === undefined ? {} : { webhook }),
    ...(state === undefined ? {} : { state }),
    ...spanIn(search),
  }
}

export type EventsSearch = Span & { topic?: string }

export function readEventsSearch(search: Record<string, unknown>): EventsSearch {
  const topic = wordsIn(search.topic)
  return { ...(topic === '' ? {} : { topic }), ...spanIn(search) }
}
