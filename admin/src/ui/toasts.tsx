import { useSyncExternalStore } from 'react'
import { Button } from './button.tsx'

/** What can still be done about it, such as undoing it. */
export type ToastAction = { title: string; run: () => void }

type Toast = { id: number; text: string; action: ToastAction | undefined }

let toasts: readonly Toast[] = []
let lastId = 0
const hearers = new Set<() => void>()
const SHOWN_MS = 6000
/** Who has to decide something gets more time for it. */
export const DECIDED_MS = 8000

function change(next: readonly Toast[]): void {
  toasts = next
  for (const hear of hearers) hear()
}

const remove = (id: number) => change(toasts.filter((each) => each.id !== id))

/** Says for a moment what was done. */
export function toast(text: string, action?: ToastAction): void {
  lastId += 1
  const id = lastId
  change([...toasts, { id, text, action }])
  setTimeout(() => remove(id), action === undefined ? SHOWN_MS : DECIDED_MS)
}

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, action }) => (
        <div key={id} className="toast">
          <span>{text}</span>
          {action !== undefined && (
            <Button
              look="plain"
              onClick={() => {
                remove(id)
                action.run()
              }}
            >
              {action.title}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
