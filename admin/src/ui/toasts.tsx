import { useSyncExternalStore } from 'react'

type Toast = { id: number; text: string }

let toasts: readonly Toast[] = []
let lastId = 0
const hearers = new Set<() => void>()
const SHOWN_MS = 6000

function change(next: readonly Toast[]): void {
  toasts = next
  for (const hear of hearers) hear()
}

/** Says for a moment what was done. */
export function toast(text: string): void {
  lastId += 1
  const id = lastId
  change([...toasts, { id, text }])
  setTimeout(() => change(toasts.filter((each) => each.id !== id)), SHOWN_MS)
}

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text }) => (
        <div key={id} className="toast">
          {text}
        </div>
      ))}
    </div>
  )
}
