import { useSyncExternalStore } from 'react'

const KEY = 'licet news'
const hearers = new Set<() => void>()

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** Are there news that nobody has looked at in this browser? */
export function useHasNews(): boolean {
  return useSyncExternalStore(subscribe, () => LICET_NEWS !== '' && localStorage.getItem(KEY) !== LICET_NEWS)
}

export function noteSeen(): void {
  localStorage.setItem(KEY, LICET_NEWS)
  for (const hear of hearers) hear()
}
