import { type ReactNode, useEffect, useId, useRef } from 'react'

/** Something to fill in, above the page. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={titleId} onClose={close}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
