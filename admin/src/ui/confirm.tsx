import { useEffect, useId, useRef } from 'react'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'

type ConfirmProps = {
  title: string
  /** What it means. */
  text: string
  action: string
  isDanger?: boolean
  problem: string | undefined
  isBusy: boolean
  confirm: () => void
  close: () => void
}

/** Asks before something that cannot be undone. The browser keeps the focus inside, and Escape closes it. */
export function Confirm({ title, text, action, isDanger = false, problem, isBusy, confirm, close }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={titleId} onClose={close}>
      <h2 id={titleId}>{title}</h2>
      <p>{text}</p>
      {problem !== undefined && (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div className="actions">
        <Button look={isDanger ? 'danger' : 'primary'} disabled={isBusy} onClick={confirm}>
          {action}
        </Button>
        <Button look="plain" onClick={close}>
          {t('common.back')}
        </Button>
      </div>
    </dialog>
  )
}
