import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PersonField } from '../customers/picker.tsx'
import type { Customer } from '../customers/queries.ts'
import { shopsQuery } from '../shop/queries.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Check, SelectField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { ConsentFields, consentOf, isProven, NO_CONSENT } from './consent.tsx'
import { recipients } from './queries.ts'

type Draft = { customer: Customer | undefined; email: string; shop: string; hasAgreed: boolean }

const NOBODY: Draft = { customer: undefined, email: '', shop: '', hasAgreed: false }

/** Signs somebody up for the newsletter: with a consent that can be shown, or with a mail that asks for it. */
export function NewRecipient({ close }: { close: () => void }) {
  const [draft, setDraft] = useState(NOBODY)
  const [consent, setConsent] = useState(NO_CONSENT)
  const [isTried, setTried] = useState(false)
  const shops = useQuery(shopsQuery).data ?? []
  const create = recipients.useCreate()
  const errors = errorsOf(create.error)
  const errorAt = (path: string) => errors[path]?.[0]
  const { customer, email, shop, hasAgreed } = draft
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const isSomebody = customer !== undefined || email !== ''
  const store = () => {
    setTried(true)
    if (!isSomebody || (hasAgreed && !isProven(consent))) return
    create.mutate(
      {
        ...(customer === undefined ? { email } : { customer_token: customer.token }),
        ...(shop === '' ? {} : { theme_setting_id: Number(shop) }),
        ...(hasAgreed ? consentOf(consent) : {}),
      },
      {
        onSuccess: ({ email: address, state }) => {
          toast(t(`audience.newsletter.added.${state}`, { email: address }))
          close()
        },
      },
    )
  }
  const person = errorAt('email') ?? errorAt('customer_token')
  return (
    <Confirm
      title={t('audience.newsletter.new')}
      text={t('audience.newsletter.new_text')}
      action={hasAgreed ? t('audience.newsletter.add') : t('audience.newsletter.ask')}
      problem={create.isError && Object.keys(errors).length === 0 ? problemText(create.error) : undefined}
      isBusy={create.isPending}
      confirm={store}
      close={close}
    >
      <PersonField
        person={draft}
        set={set}
        about={t('audience.no_customer')}
        error={person ?? (isTried && !isSomebody ? t('audience.choose_person') : undefined)}
      />
      {shops.length > 1 && (
        <SelectField
          label={t('audience.columns.shop')}
          value={shop}
          options={shops.map(({ id, name }, place) => ({ value: place === 0 ? '' : String(id), title: name }))}
          onValue={(value) => set({ shop: value })}
          error={errorAt('theme_setting_id')}
        />
      )}
      <Check
        label={t('audience.newsletter.has_agreed')}
        isOn={hasAgreed}
        onChange={(isOn) => set({ hasAgreed: isOn })}
      />
      {hasAgreed && (
        <ConsentFields
          consent={consent}
          set={(part) => setConsent((now) => ({ ...now, ...part }))}
          errorAt={errorAt}
          isTried={isTried}
        />
      )}
    </Confirm>
  )
}
