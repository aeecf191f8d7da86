import type { UseMutationResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import type { Change } from '../ui/forms/editing.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import type { Part } from './search.ts'

type StopProps<Changes> = {
  part: Part
  email: string
  save: UseMutationResult<unknown, Error, Change<Changes>>
  /** What ends it, as the API takes it. */
  changes: () => Changes
}

/** Ends somebody's newsletter or time, and keeps on record that there was one. */
export function Stop<Changes>({ part, email, save, changes }: StopProps<Changes>) {
  const [isAsked, ask] = useState(false)
  const stop = () =>
    save.mutate(
      { changes: changes() },
      {
        onSuccess: () => {
          toast(t(`audience.${part}.stopped`, { email }))
          ask(false)
        },
      },
    )
  return (
    <>
      <Button onClick={() => ask(true)}>{t(`audience.${part}.stop`)}</Button>
      {isAsked && (
        <Confirm
          title={t(`audience.${part}.stop_title`, { email })}
          text={t(`audience.${part}.stop_text`)}
          action={t(`audience.${part}.stop`)}
          isDanger
          problem={save.isError ? problemText(save.error) : undefined}
          isBusy={save.isPending}
          confirm={stop}
          close={() => ask(false)}
        />
      )}
    </>
  )
}

const LISTS = {
  newsletter: '/customers/newsletter',
  members: '/customers/members',
  subscribers: '/customers/subscribers',
} as const

type RemoveProps = { part: Part; email: string; remove: UseMutationResult<unknown, Error, void> }

/** Forgets somebody. */
export function Remove({ part, email, remove }: RemoveProps) {
  const [isAsked, ask] = useState(false)
  const navigate = useNavigate()
  const removeIt = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(t('audience.deleted', { email }))
        void navigate({ to: LISTS[part], search: {} })
      },
    })
  return (
    <>
      <Button look="danger" onClick={() => ask(true)}>
        {t('audience.delete')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('audience.delete_title', { email })}
          text={t(`audience.${part}.delete_text`)}
          action={t('audience.delete')}
          isDanger
          problem={remove.isError ? problemText(remove.error) : undefined}
          isBusy={remove.isPending}
          confirm={removeIt}
          close={() => ask(false)}
        />
      )}
    </>
  )
}
