import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, useLoginLink, useMailLink } from './queries.ts'
import { nameOf } from './words.ts'

/** A way in for a customer who cannot sign in: by email, or as a link that works once. */
export function SignInLink({ customer, close }: { customer: Customer; close: () => void }) {
  const mail = useMailLink(customer.token)
  const make = useLoginLink(customer.token)
  const failure = mail.error ?? make.error
  return (
    <Dialog title={t('sign_in_link.title', { name: nameOf(customer) })} close={close}>
      <p>{t('sign_in_link.text', { email: customer.email })}</p>
      {make.data !== undefined && (
        <div className="stack">
          <div className="with-end">
            <input className="input code" readOnly aria-label={t('sign_in_link.link')} value={make.data.url} />
            <CopyButton text={make.data.url} label={t('sign_in_link.copy')} />
          </div>
          <p className="hint">{t('sign_in_link.until', { time: dayAndTime(make.data.expires_at) })}</p>
        </div>
      )}
      {failure !== null && (
        <p className="notice bad" role="alert">
          {problemText(failure)}
        </p>
      )}
      <div className="actions">
        <Button
          look="primary"
          icon="mail"
          disabled={mail.isPending}
          onClick={() =>
            mail.mutate(undefined, {
              onSuccess: () => {
                close()
                toast(t('sign_in_link.mailed', { email: customer.email }))
              },
            })
          }
        >
          {t('sign_in_link.mail')}
        </Button>
        {make.data === undefined && (
          <Button icon="copy" disabled={make.isPending} onClick={() => make.mutate(undefined)}>
            {t('sign_in_link.make')}
          </Button>
        )}
        <Button look="plain" onClick={close}>
          {t('common.back')}
        </Button>
      </div>
    </Dialog>
  )
}
