import { LicetError } from '@licet/client'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { useConfirmSecondFactor } from './queries.ts'

type SetUpProps = { secret: string; qr_code: string; done: (codes: readonly string[]) => void }

/** The secret goes into an authenticator app, and a code of the app shows that it is there. */
export function SetUp({ secret, qr_code, done }: SetUpProps) {
  const [code, setCode] = useState('')
  const confirm = useConfirmSecondFactor()
  const isWrong = confirm.error instanceof LicetError && confirm.error.errors.code !== undefined
  return (
    <form
      className="stack settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate(code, { onSuccess: done })
      }}
    >
      <p>{t('settings.second.scan')}</p>
      <img className="qr" src={`data:image/svg+xml,${encodeURIComponent(qr_code)}`} alt={t('settings.second.qr')} />
      <div>
        <p className="hint">{t('settings.second.key')}</p>
        <p className="secret">
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} label={t('settings.second.copy_key')} />
        </p>
      </div>
      <TextField
        label={t('settings.second.confirm')}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onValue={setCode}
        error={isWrong ? t('settings.second.code_wrong') : undefined}
        maxLength={10}
      />
      {confirm.isError && !isWrong && (
        <p className="notice bad" role="alert">
          {problemText(confirm.error)}
        </p>
      )}
      <div className="actions">
        <Button type="submit" look="primary" disabled={confirm.isPending || code.trim() === ''}>
          {t('settings.second.turn_on')}
        </Button>
      </div>
    </form>
  )
}

/** Recovery codes are shown once: to be copied, saved or printed. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const text = `${t('settings.second.file')}\n\n${codes.join('\n')}\n`
  return (
    <div className="stack" role="status">
      <h3>{t('settings.second.codes_title')}</h3>
      <p>{t('settings.second.codes_text')}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <Button look="primary" onClick={close}>
          {t('settings.second.kept')}
        </Button>
        <a
          className="button"
          download="licet-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {t('settings.second.save')}
        </a>
        <CopyButton text={codes.join('\n')} label={t('settings.second.copy_codes')} />
      </div>
    </div>
  )
}
