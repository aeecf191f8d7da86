import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Refusal } from '../ui/forms/changed.tsx'
import { errorsOf } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { matching } from '../with-etag.ts'
import { t } from '../words/words.ts'
import { type Read, type Subscription, useSubscriptionChange } from './queries.ts'

export type ActionProps = {
  read: Read
  /** Reads it once more, and closes the dialog. */
  reload: () => void
  close: () => void
}

type ActionDialogProps = ActionProps & {
  title: string
  /** What it means. */
  text: string
  action: string
  isDanger?: boolean
  /** Is everything there that it takes? */
  isReady?: boolean
  done: string
  run: (id: number, options: { ifMatch?: string }) => Promise<Subscription>
  children?: ReactNode | ((errorAt: (path: string) => string | undefined) => ReactNode)
}

/** Asks before a change of a subscription, which names the version that the page shows. */
export function ActionDialog(props: ActionDialogProps) {
  const { read, reload, close, title, text, action, isDanger = false, isReady = true, done, run, children } = props
  // Whatever is read meanwhile, the change is one of this version.
  const [{ subscription, etag }] = useState(read)
  const change = useSubscriptionChange((version: string | undefined) => run(subscription.id, matching(version)))
  const errors = errorsOf(change.error)
  const send = (version: string | undefined) =>
    change.mutate(version, {
      onSuccess: () => {
        toast(done)
        close()
      },
    })
  return (
    <Dialog title={title} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) send(etag)
        }}
      >
        <p>{text}</p>
        {typeof children === 'function' ? children((path) => errors[path]?.[0]) : children}
        {change.isError && Object.keys(errors).length === 0 && (
          <Refusal error={change.error} showTheirs={reload} saveMine={() => send(undefined)} />
        )}
        <div className="actions">
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} disabled={change.isPending || !isReady}>
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

type ChoicesProps<Value extends string> = {
  label: string
  name: string
  chosen: Value
  choose: (value: Value) => void
  options: readonly { value: Value; title: string; about: string }[]
}

/** One of a few ways, each with what it means. */
export function Choices<Value extends string>({ label, name, chosen, choose, options }: ChoicesProps<Value>) {
  return (
    <fieldset>
      <legend className="strong">{label}</legend>
      <div className="choices one">
        {options.map(({ value, title, about }) => (
          <label key={value} className="choice">
            <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} />
            <span className="strong">{title}</span>
            <span className="muted small">{about}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
