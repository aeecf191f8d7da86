import type { ReactNode } from 'react'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

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
  /** What else has to be typed. */
  children?: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, text, action, isDanger = false, problem, isBusy, confirm, close, children } = props
  return (
    <Dialog title={title} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <p>{text}</p>
        {children}
        {problem !== undefined && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} disabled={isBusy}>
            {action}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
