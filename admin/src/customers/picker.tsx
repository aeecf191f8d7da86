import { keepPreviousData, useQuery } from '@tanstack/react-query'
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
  error?: string | undefined
}

/** Finds a customer by name or email address, or takes the address of a new one. */
export function CustomerPicker({ choose, chooseNew, error }: CustomerPickerProps) {
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
        /^\S+@\S+\.\S+$/.test(words) && (
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
  if (customer === undefined && email === '')
    return (
      <CustomerPicker
        choose={(chosen) => set({ customer: chosen, email: '' })}
        chooseNew={(address) => set({ customer: undefined, email: address })}
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
        <Button look="plain" onClick={() => set({ customer: undefined, email: '' })}>
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
