import { LicetError } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import { dayAndTime, dayText } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { otherProblem, passwordProblem } from '../problems.ts'
import { secondFactorQuery } from '../queries.ts'
import { deletionQuery, useRequestDeletion } from './queries.ts'

const DAY = { dateStyle: 'long' } as const

/** The end of the company. Only whoever may do everything sees it. */
export function DeletionCard() {
  const { user } = useSession()
  const deletion = useQuery(deletionQuery)
  const [isAsked, setIsAsked] = useState(false)
  const isTrusted = Object.values(user.permissions).every((flag) => flag === 1)
  if (!isTrusted || deletion.data === undefined) return null
  const { requested_at, due_at, kept_until, wait_days } = deletion.data
  return (
    <Card title={t('settings.deletion.title')}>
      <div className="card-body stack">
        {requested_at === null ? (
          <>
            <p>{t('settings.deletion.text', { count: wait_days })}</p>
            <div className="actions">
              <Button look="danger" onClick={() => setIsAsked(true)}>
                {t('settings.deletion.button')}
              </Button>
            </div>
          </>
        ) : (
          <p>{t('settings.deletion.requested', { time: dayAndTime(due_at), kept: dayText(kept_until, DAY) })}</p>
        )}
      </div>
      {isAsked && <AskDeletion due={due_at} kept={kept_until} close={() => setIsAsked(false)} />}
    </Card>
  )
}

const BLANK = { company_name: '', current_password: '', code: '' }

const hasFault = (error: Error | null, field: string) =>
  error instanceof LicetError && error.fieldErrors[field] !== undefined

/** What it means is said before it is asked for, and who asks shows that it is them. */
function AskDeletion({ due, kept, close }: { due: string; kept: string; close: () => void }) {
  const { company } = useSession()
  const factor = useQuery(secondFactorQuery)
  const [typed, setTyped] = useState(BLANK)
  const request = useRequestDeletion()
  const set = (part: Partial<typeof BLANK>) => setTyped((now) => ({ ...now, ...part }))
  const needsCode = factor.data?.enabled === true
  const { error } = request
  const isNamed = hasFault(error, 'company_name')
  const isCoded = hasFault(error, 'code')
  const isFilled = typed.company_name !== '' && typed.current_password !== '' && (!needsCode || typed.code !== '')
  return (
    <Confirm
      title={t('settings.deletion.ask', { company: company.company_name })}
      text={t('settings.deletion.meaning', { time: dayAndTime(due) })}
      action={t('settings.deletion.button')}
      isDanger
      problem={isNamed || isCoded ? undefined : otherProblem(error)}
      isBusy={request.isPending || factor.data === undefined || !isFilled}
      confirm={() => {
        const { code, ...rest } = typed
        request.mutate(needsCode ? typed : rest, {
          onSuccess: () => {
            toast(t('settings.deletion.done'))
            close()
          },
        })
      }}
      close={close}
    >
      <ul className="meaning">
        {(['orders', 'customers', 'apps'] as const).map((what) => (
          <li key={what}>{t(`settings.deletion.means.${what}`)}</li>
        ))}
        <li>{t('settings.deletion.means.books', { kept: dayText(kept, DAY) })}</li>
      </ul>
      <p>{t('settings.deletion.export_first')}</p>
      <a className="button" href="/admin/api/company/export.json" download>
        <Icon name="download" />
        {t('settings.export.link')}
      </a>
      <TextField
        label={t('settings.deletion.type_name', { company: company.company_name })}
        name="company_name"
        autoComplete="off"
        value={typed.company_name}
        onValue={(company_name) => set({ company_name })}
        error={isNamed ? t('settings.deletion.name_differs') : undefined}
        maxLength={100}
      />
      <TextField
        label={t('settings.password.current')}
        type="password"
        autoComplete="current-password"
        value={typed.current_password}
        onValue={(current_password) => set({ current_password })}
        error={passwordProblem(error)}
      />
      {needsCode && (
        <TextField
          label={t('settings.deletion.code')}
          autoComplete="one-time-code"
          value={typed.code}
          onValue={(code) => set({ code })}
          error={isCoded ? t('settings.deletion.code_wrong') : undefined}
          maxLength={100}
        />
      )}
    </Confirm>
  )
}
