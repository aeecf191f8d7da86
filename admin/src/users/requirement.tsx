import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { signInSettingsQuery, useRequireSecondFactor } from './queries.ts'

/** Whether everybody has to sign in in two steps. */
export function Requirement() {
  const settings = useQuery(signInSettingsQuery)
  const change = useRequireSecondFactor()
  const [isAsking, ask] = useState(false)
  const { data } = settings
  const isRequired = data?.second_factor_required === true
  const close = () => {
    change.reset()
    ask(false)
  }
  const isOwnMissing =
    change.error !== null && 'reason' in change.error && change.error.reason === 'own_second_factor_off'
  return (
    <Card
      title={t('people.second.title')}
      end={
        data !== undefined && (
          <Chip tone={isRequired ? 'ok' : 'draft'}>{t(isRequired ? 'people.second.on' : 'people.second.off')}</Chip>
        )
      }
    >
      <div className="card-body stack">
        {settings.isError ? (
          <Problem error={settings.error} retry={() => void settings.refetch()} />
        ) : data === undefined ? (
          <span className="skeleton" />
        ) : (
          <>
            <p>
              {t(isRequired ? 'people.second.on_text' : 'people.second.off_text')}{' '}
              {t('people.second.without', { count: data.users_without_second_factor })}
            </p>
            <div className="actions">
              <Button onClick={() => ask(true)}>
                {t(isRequired ? 'people.second.allow' : 'people.second.require')}
              </Button>
            </div>
          </>
        )}
      </div>
      {isAsking && data !== undefined && (
        <Confirm
          title={t(isRequired ? 'people.second.allow_title' : 'people.second.require_title')}
          text={
            isRequired
              ? t('people.second.allow_text')
              : t('people.second.require_text', { count: data.users_without_second_factor })
          }
          action={t(isRequired ? 'people.second.allow' : 'people.second.require')}
          isDanger={isRequired}
          problem={change.error === null || isOwnMissing ? undefined : problemText(change.error)}
          isBusy={change.isPending}
          confirm={() =>
            change.mutate(!isRequired, {
              onSuccess: () => {
                toast(t(isRequired ? 'people.second.is_off' : 'people.second.is_on'))
                close()
              },
            })
          }
          close={close}
        >
          {isOwnMissing && (
            <p className="notice bad" role="alert">
              {t('people.second.own_first')} <Link to="/settings/security">{t('people.second.own_link')}</Link>
            </p>
          )}
        </Confirm>
      )}
    </Card>
  )
}
