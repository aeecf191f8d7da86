import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { otherProblem, passwordProblem } from './problems.ts'
import { secondFactorQuery, usePrepareSecondFactor, useRenewCodes, useTurnOffSecondFactor } from './queries.ts'
import { RecoveryCodes, SetUp } from './second-step-setup.tsx'

type Asked = 'set_up' | 'renew' | 'turn_off'

/** The second factor: off, being set up, on, or just made with the codes that are shown once. */
export function SecondStep() {
  const factor = useQuery({ ...secondFactorQuery, refetchOnWindowFocus: false })
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<{ secret: string; qr_code: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const prepare = usePrepareSecondFactor()
  const renew = useRenewCodes()
  const turnOff = useTurnOffSecondFactor()
  const close = () => setAsked(undefined)
  const { data } = factor
  const isOn = data?.enabled === true
  return (
    <Card
      title={t('settings.second.title')}
      end={
        data !== undefined && (
          <Chip tone={isOn ? 'ok' : 'draft'}>{t(isOn ? 'settings.second.on' : 'settings.second.off')}</Chip>
        )
      }
    >
      <div className="card-body stack">
        {factor.isError ? (
          <Problem error={factor.error} retry={() => void factor.refetch()} />
        ) : codes !== undefined ? (
          <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />
        ) : secret !== undefined ? (
          <SetUp
            {...secret}
            done={(made) => {
              setSecret(undefined)
              setCodes(made)
            }}
          />
        ) : data === undefined ? (
          <span className="skeleton" />
        ) : isOn ? (
          <>
            <p>
              {t('settings.second.on_text')} {t('settings.second.left', { count: data.recovery_codes })}
            </p>
            <div className="actions">
              <Button onClick={() => setAsked('renew')}>{t('settings.second.renew')}</Button>
              <Button onClick={() => setAsked('turn_off')}>{t('settings.second.turn_off')}</Button>
            </div>
          </>
        ) : (
          <>
            <p>{t('settings.second.off_text')}</p>
            <div className="actions">
              <Button look="primary" onClick={() => setAsked('set_up')}>
                {t('settings.second.set_up')}
              </Button>
            </div>
          </>
        )}
      </div>
      {asked === 'set_up' && (
        <AskPassword
          what="set_up"
          change={prepare}
          close={close}
          confirm={(password) =>
            prepare.mutate(password, {
              onSuccess: (made) => {
                setSecret(made)
                close()
              },
            })
          }
        />
      )}
      {asked === 'renew' && (
        <AskPassword
          what="renew"
          change={renew}
          close={close}
          confirm={(password) =>
            renew.mutate(password, {
              onSuccess: (made) => {
                setCodes(made)
                close()
              },
            })
          }
        />
      )}
      {asked === 'turn_off' && (
        <AskPassword
          what="turn_off"
          change={turnOff}
          close={close}
          confirm={(password) =>
            turnOff.mutate(password, {
              onSuccess: () => {
                toast(t('settings.second.is_off'))
                close()
              },
            })
          }
        />
      )}
    </Card>
  )
}

type AskPasswordProps = {
  what: Asked
  change: { error: Error | null; isPending: boolean; reset: () => void }
  confirm: (password: string) => void
  close: () => void
}

/** The password is asked for again, because somebody else may sit at this browser. */
function AskPassword({ what, change, confirm, close }: AskPasswordProps) {
  const [password, setPassword] = useState('')
  return (
    <Confirm
      title={t(`settings.second.${what}_title`)}
      text={t(`settings.second.${what}_text`)}
      action={t(`settings.second.${what}`)}
      isDanger={what === 'turn_off'}
      problem={otherProblem(change.error)}
      isBusy={change.isPending || password === ''}
      confirm={() => confirm(password)}
      close={() => {
        change.reset()
        close()
      }}
    >
      <TextField
        label={t('settings.password.current')}
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={passwordProblem(change.error)}
      />
    </Confirm>
  )
}
