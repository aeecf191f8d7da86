import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { PersonField } from '../customers/picker.tsx'
import type { Customer } from '../customers/queries.ts'
import { Confirm } from '../ui/confirm.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { NO_PERIOD, type Period, PeriodFields } from './period.tsx'

type Who = { email: string } | { customer_token: string }

export type NewPersonProps<Input> = {
  part: 'members' | 'subscribers'
  /** The group that is proposed. */
  group?: string
  create: UseMutationResult<{ email: string }, Error, Input>
  inputOf: (who: Who, period: Period) => Input
  close: () => void
}

/** Adds somebody to a group. */
export function NewPerson<Input>({ part, group = '', create, inputOf, close }: NewPersonProps<Input>) {
  const [person, setPerson] = useState<{ customer: Customer | undefined; email: string }>({
    customer: undefined,
    email: '',
  })
  const [period, setPeriod] = useState({ ...NO_PERIOD, group })
  const [isTried, setTried] = useState(false)
  const errors = errorsOf(create.error)
  const errorAt = (path: string) => errors[path]?.[0]
  const { customer, email } = person
  const isSomebody = customer !== undefined || email !== ''
  const store = () => {
    setTried(true)
    if (!isSomebody || period.group === '') return
    const who = customer === undefined ? { email } : { customer_token: customer.token }
    create.mutate(inputOf(who, period), {
      onSuccess: (added) => {
        toast(t(`audience.${part}.added`, { email: added.email }))
        close()
      },
    })
  }
  return (
    <Confirm
      title={t(`audience.${part}.new`)}
      text={t(`audience.${part}.new_text`)}
      action={t(`audience.${part}.add`)}
      problem={create.isError && Object.keys(errors).length === 0 ? problemText(create.error) : undefined}
      isBusy={create.isPending}
      confirm={store}
      close={close}
    >
      <PersonField
        person={person}
        set={setPerson}
        about={t('audience.no_customer')}
        error={
          errorAt('email') ??
          errorAt('customer_token') ??
          (isTried && !isSomebody ? t('audience.choose_person') : undefined)
        }
      />
      <PeriodFields
        part={part}
        period={period}
        set={(change) => setPeriod((now) => ({ ...now, ...change }))}
        errorAt={(path) =>
          path === 'group_id' && isTried && period.group === '' ? t('audience.choose_group') : errorAt(path)
        }
      />
    </Confirm>
  )
}
