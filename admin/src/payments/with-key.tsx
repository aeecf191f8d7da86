import { LicetError } from '@licet/client'
import { useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Field } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type KeyedGateway, type PaymentSettings, useChangePayments, useConnect } from './queries.ts'
import { Way } from './way.tsx'

type Props = { gateway: KeyedGateway; settings: PaymentSettings[KeyedGateway] }

/** A gateway that is connected by pasting its key: the service asks the gateway itself, and sets up the rest. */
export function WithKey({ gateway, settings }: Props) {
  const [key, setKey] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const connect = useConnect(gateway)
  const change = useChangePayments()
  const formId = useId()
  const name = t(`payments.gateways.${gateway}.name`)
  const { enabled, secret_key_hint, test_mode } = settings
  const hasKey = secret_key_hint !== ''
  const { errors = {} } = connect.error instanceof LicetError ? connect.error : {}
  const refusal = connect.data?.gateway_connection.webhook_refusal ?? null
  const tell = (isOn: boolean) => toast(t(isOn ? 'payments.now_on' : 'payments.now_off', { name }))
  const submit = (typed?: string) =>
    connect.mutate(typed, {
      onSuccess: ({ gateway_connection: { account } }) => {
        setKey('')
        toast(account === '' ? t('payments.connected', { name }) : t('payments.connected_as', { name, account }))
      },
    })
  return (
    <Way
      icon="card"
      title={t(`payments.gateways.${gateway}.title`)}
      text={hasKey ? t('payments.key_is', { hint: secret_key_hint }) : t(`payments.gateways.${gateway}.text`)}
      isOn={enabled}
      isTest={test_mode}
      onSwitch={
        hasKey ? (isOn) => change.mutate({ [gateway]: { enabled: isOn } }, { onSuccess: () => tell(isOn) }) : undefined
      }
      isBusy={change.isPending}
    >
      <form
        id={formId}
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit(key)
        }}
      >
        <Field label={t('payments.key')} hint={t(`payments.gateways.${gateway}.hint`)} error={errors.secret_key?.[0]}>
          {(id, describedBy) => (
            <input
              id={id}
              className="input code"
              type="password"
              autoComplete="off"
              spellCheck={false}
              maxLength={300}
              value={key}
              aria-invalid={errors.secret_key !== undefined}
              aria-describedby={describedBy}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
        {test_mode && <p className="notice test">{t('payments.test_mode', { name })}</p>}
        {refusal !== null && <p className="notice wait">{t('payments.no_events', { name, refusal })}</p>}
        {[connect.error, change.error].map(
          (error) =>
            error !== null &&
            !(error === connect.error && errors.secret_key !== undefined) && (
              <p key={problemText(error)} className="notice bad" role="alert">
                {problemText(error)}
              </p>
            ),
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={connect.isPending || key.trim() === ''}>
            {t(connect.isPending ? 'payments.connecting' : hasKey ? 'payments.replace_key' : 'payments.connect')}
          </Button>
          {hasKey && (
            <Button disabled={connect.isPending} onClick={() => submit()}>
              {t('payments.check_again')}
            </Button>
          )}
          {hasKey && (
            <Button look="plain" onClick={() => setIsAsked(true)}>
              {t('payments.disconnect')}
            </Button>
          )}
        </div>
      </form>
      {isAsked && (
        <Confirm
          title={t('payments.disconnect_title', { name })}
          text={t('payments.disconnect_text')}
          action={t('payments.disconnect')}
          isDanger
          problem={change.isError ? problemText(change.error) : undefined}
          isBusy={change.isPending}
          confirm={() =>
            change.mutate(
              { [gateway]: { secret_key: '' } },
              {
                onSuccess: () => {
                  setIsAsked(false)
                  connect.reset()
                  toast(t('payments.disconnected', { name }))
                },
              },
            )
          }
          close={() => setIsAsked(false)}
        />
      )}
    </Way>
  )
}
