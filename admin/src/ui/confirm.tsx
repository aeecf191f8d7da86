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
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, text, action, isDanger = false, problem, isBusy, confirm, close }: ConfirmProps) {
  return (
    <Dialog title={title} close={close}>
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
    </Dialog>
  )
}
