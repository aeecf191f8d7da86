import { LicetError } from '@licet/client'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { otherProblem, passwordProblem } from './problems.ts'
import { useChangePassword } from './queries.ts'

const BLANK = { current: '', fresh: '', again: '' }

/** A new password is typed twice, because it is hidden while it is typed. */
export function Password() {
  const { user } = useSession()
  const [typed, setTyped] = useState(BLANK)
  const [isTold, setIsTold] = useState(false)
  const change = useChangePassword()
  const set = (part: Partial<typeof BLANK>) => setTyped((now) => ({ ...now, ...part }))
  const differs = typed.fresh !== typed.again
  const isRefused = change.error instanceof LicetError && change.error.errors.password !== undefined
  const problem = isRefused ? undefined : otherProblem(change.error)
  return (
    <Card title={t('settings.password.title')}>
      <form
        className="card-body stack settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          setIsTold(differs)
          if (differs) return
          change.mutate(
            { current_password: typed.current, password: typed.fresh },
            {
              onSuccess: () => {
                setTyped(BLANK)
                toast(t('settings.password.done'))
              },
            },
          )
        }}
      >
        <input hidden type="text" autoComplete="username" value={user.email} readOnly />
        <TextField
          label={t('settings.password.current')}
          type="password"
          autoComplete="current-password"
          value={typed.current}
          onValue={(current) => set({ current })}
          error={passwordProblem(change.error)}
        />
        <TextField
          label={t('settings.password.new')}
          hint={t('settings.password.new_hint')}
          type="password"
          autoComplete="new-password"
          value={typed.fresh}
          onValue={(fresh) => set({ fresh })}
          error={isRefused ? t('settings.password.length') : undefined}
        />
        <TextField
          label={t('settings.password.again')}
          type="password"
          autoComplete="new-password"
          value={typed.again}
          onValue={(again) => set({ again })}
          error={isTold && differs ? t('settings.password.differs') : undefined}
        />
        {problem !== undefined && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        <div className="actions">
          <Button
            type="submit"
            look="primary"
            disabled={change.isPending || typed.current === '' || typed.fresh === '' || typed.again === ''}
          >
            {t('settings.password.button')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
