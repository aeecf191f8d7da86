import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerPicker } from '../customers/picker.tsx'
import type { Customer } from '../customers/queries.ts'
import { nameOf } from '../customers/words.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Field } from '../ui/forms/fields.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { AppsPage } from './parts.tsx'
import { loginSecretQuery, useLoginLink } from './queries.ts'

/** How another site signs its customers in to this shop: the secret, and a token to try. */
export function Login() {
  const secret = useQuery(loginSecretQuery)
  const mayUnlock = useMay('unlock')
  return (
    <AppsPage part="login" about={t('login.about')} failed={secret.isError ? secret : undefined}>
      {secret.data !== null && (
        <Card title={t('login.secret')}>
          {secret.data === undefined ? <WaitingRows count={1} /> : <LoginSecret value={secret.data} />}
        </Card>
      )}
      {mayUnlock && (
        <Card title={t('login.try')} aside={t('login.try_about')}>
          <TokenBuilder />
        </Card>
      )}
    </AppsPage>
  )
}

function LoginSecret({ value }: { value: string }) {
  const [isShown, show] = useState(false)
  return (
    <div className="card-body stack">
      <p>{t('login.secret_about')}</p>
      <Field label={t('login.secret')}>
        {(id) => (
          <div className="with-end">
            <input id={id} className="input code" readOnly type={isShown ? 'text' : 'password'} value={value} />
            <Button onClick={() => show(!isShown)}>{t(isShown ? 'login.hide' : 'login.show')}</Button>
            <CopyButton text={value} label={t('apps.copy', { what: t('login.secret') })} />
          </div>
        )}
      </Field>
    </div>
  )
}

function TokenBuilder() {
  const [customer, setCustomer] = useState<Customer>()
  const [problem, setProblem] = useState<string>()
  const make = useLoginLink()
  const choose = (chosen: Customer) => {
    setCustomer(chosen)
    setProblem(undefined)
    make.reset()
  }
  return (
    <div className="card-body stack">
      <CustomerPicker choose={choose} chooseNew={() => setProblem(t('login.only_known'))} error={problem} />
      {customer !== undefined && (
        <div className="actions">
          <span className="grow">
            <span className="strong">{nameOf(customer)}</span> <span className="muted">{customer.email}</span>
          </span>
          <Button look="primary" disabled={make.isPending} onClick={() => make.mutate(customer.token)}>
            {t('login.make')}
          </Button>
        </div>
      )}
      {make.isError && (
        <p className="notice bad" role="alert">
          {problemText(make.error)}
        </p>
      )}
      {make.data !== undefined && (
        <>
          <div className="with-end">
            <input className="input code" readOnly aria-label={t('login.link')} value={make.data.url} />
            <CopyButton text={make.data.url} label={t('apps.copy', { what: t('login.link') })} />
          </div>
          <p className="hint">{t('login.until', { time: dayAndTime(make.data.expires_at) })}</p>
          <div className="actions">
            <a className="button" href={make.data.url} target="_blank" rel="noreferrer">
              {t('login.open')}
            </a>
          </div>
        </>
      )}
    </div>
  )
}
