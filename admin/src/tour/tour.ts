import { useSyncExternalStore } from 'react'

/** The screens that a new owner is shown, in their order. */
export const STOPS = [
  { stop: 'home', to: '/' },
  { stop: 'orders', to: '/orders' },
  { stop: 'products', to: '/products' },
  { stop: 'customers', to: '/customers' },
  { stop: 'licenses', to: '/licenses' },
  { stop: 'shop', to: '/shop' },
  { stop: 'statistics', to: '/statistics' },
] as const

/** Where the tour is, for this tab. */
const PLACE = 'licet tour'
/** Whoever has left the tour, or has come to its end, is not led through it again unasked. */
const ENDED = 'licet tour ended'
const hearers = new Set<() => void>()

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** Which stop of the tour is shown; undefined if nobody is on one. */
export function useStop(): number | undefined {
  const kept = useSyncExternalStore(subscribe, () => sessionStorage.getItem(PLACE))
  return kept !== null && STOPS[Number(kept)] !== undefined ? Number(kept) : undefined
}

export function goToStop(place: number): void {
  sessionStorage.setItem(PLACE, String(place))
  for (const hear of hearers) hear()
}

export function endTour(): void {
  sessionStorage.removeItem(PLACE)
  localStorage.setItem(ENDED, 'yes')
  for (const hear of hearers) hear()
}

export const hasEnded = () => localStorage.getItem(ENDED) !== null
