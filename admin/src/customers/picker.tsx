import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Picker } from '../ui/forms/picker.tsx'
import { firstPage } from '../ui/lists/pages.ts'
import { t } from '../words/words.ts'
import type { Customer } from './queries.ts'
import { nameOf } from './words.ts'

const FOUND_MAX = 8

function useFound(q: string, isOpen: boolean) {
  return useQuery({
    queryKey: ['customers', 'found', q],
    queryFn: ({ signal }) =>
      firstPage(api.customers.list({ limit: FOUND_MAX, sort: '-id', ...(q === '' ? {} : { q }) }, { signal })),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
}

type CustomerPickerProps = {
  choose: (customer: Customer) => void
  /** Somebody with this email address is not a customer yet. */
  chooseNew: (email: string) => void
  /** The email address that is typed, before anybody is chosen; empty as long as it is none. */
  onEmail?: (email: string) => void
  error?: string | undefined
}

const isEmail = (words: string) => /^\S+@\S+\.\S+$/.test(words)

/** Finds a customer by name or email address, or takes the address of a new one. */
export function CustomerPicker({ choose, chooseNew, onEmail, error }: CustomerPickerProps) {
  return (
    <Picker
      label={t('picker.customer_label')}
      placeholder={t('customers.search')}
      foundLabel={t('picker.customers')}
      none={t('picker.no_customer')}
      useFound={useFound}
      rowOf={(customer) => ({
        key: customer.id,
        content: (
          <span className="cut">
            <span className="strong">{nameOf(customer)}</span> <span className="muted">{customer.email}</span>
          </span>
        ),
      })}
      choose={choose}
      beside={(words, close) =>
        isEmail(words) && (
          <li>
            <button
              type="button"
              onClick={() => {
                chooseNew(words)
                close()
              }}
            >
              {t('picker.new_customer', { email: words })}
            </button>
          </li>
        )
      }
      onWords={(words) => onEmail?.(isEmail(words) ? words : '')}
      takeWords={(words) => isEmail(words) && chooseNew(words)}
      error={error}
    />
  )
}

type Person = { customer?: Customer | undefined; email: string }

/** Who it is for: a customer, somebody new with an email address, or nobody yet. */
export function PersonField({
  person: { customer, email },
  set,
  about,
  error,
}: {
  person: Person
  set: (person: { customer: Customer | undefined; email: string }) => void
  /** What is said of somebody who is no customer yet. */
  about: string
  error?: string | undefined
}) {
  const isSomebody = customer !== undefined || email !== ''
  const [isPicking, setIsPicking] = useState(!isSomebody)
  const pick = (person: { customer: Customer | undefined; email: string }) => {
    setIsPicking(false)
    set(person)
  }
  if (isPicking || !isSomebody)
    return (
      <CustomerPicker
        choose={(chosen) => pick({ customer: chosen, email: '' })}
        chooseNew={(address) => pick({ customer: undefined, email: address })}
        onEmail={(address) => set({ customer: undefined, email: address })}
        error={error}
      />
    )
  return (
    <>
      <div className="with-end">
        <span className="grow cut">
          <span className="strong">{customer === undefined ? email : nameOf(customer)}</span>{' '}
          <span className="muted">{customer === undefined ? about : customer.email}</span>
        </span>
        <Button
          look="plain"
          onClick={() => {
            setIsPicking(true)
            set({ customer: undefined, email: '' })
          }}
        >
          {t('picker.somebody_else')}
        </Button>
      </div>
      {error !== undefined && (
        <p className="hint wrong" role="alert">
          {error}
        </p>
      )}
    </>
  )
}
