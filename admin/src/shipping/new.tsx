import './shipping.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { isReadable, NEW_METHOD, newMethodIn } from './draft.ts'
import { MethodFields } from './fields.tsx'
import { useCreateMethod } from './queries.ts'

/** Adds a shipping method. It comes after the others. */
export function NewMethod() {
  const [draft, setDraft] = useState(NEW_METHOD)
  const create = useCreateMethod()
  const navigate = useNavigate()
  const errors = errorsOf(create.error)
  const store = () =>
    create.mutate(newMethodIn(draft), {
      onSuccess: ({ title }) => {
        toast(t('shipping.created', { title }))
        void navigate({ to: '/settings/shipping' })
      },
    })
  return (
    <Page title={t('shipping.new')} trail={{ to: '/settings/shipping', title: t('settings.parts.shipping') }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReadable(draft)) store()
        }}
      >
        <MethodFields
          draft={draft}
          set={(part) => setDraft((now) => ({ ...now, ...part }))}
          errorAt={(path) => errors[path]?.[0]}
        />
        {create.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={create.isPending}>
            {t('shipping.create')}
          </Button>
          <ButtonLink look="plain" to="/settings/shipping">
            {t('common.back')}
          </ButtonLink>
        </div>
      </form>
    </Page>
  )
}
