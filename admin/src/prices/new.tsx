import '../licenses/licenses.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Draft, inputOf } from './draft.ts'
import { Amounts, PriceFields } from './fields.tsx'
import { useCreatePrice } from './queries.ts'

/** Makes a price, which offers and shipping methods can name. */
export function NewPrice() {
  const { currency } = useSession()
  const mayChange = useMay('request_products')
  const [draft, setDraft] = useState<Draft>({ title: '', currencies: [{ currency, typed: '' }], countries: [] })
  const create = useCreatePrice()
  const navigate = useNavigate()
  const errors = errorsOf(create.error)
  const store = () =>
    create.mutate(inputOf(draft), {
      onSuccess: ({ id, title }) => {
        toast(t('prices.created', { title }))
        void navigate({ to: '/licenses/prices/$id', params: { id: String(id) } })
      },
    })
  return (
    <Page title={t('prices.new')} trail={{ to: '/licenses/prices', title: t('licenses.parts.prices') }}>
      {mayChange ? (
        <form
          className="columns"
          onSubmit={(event) => {
            event.preventDefault()
            store()
          }}
        >
          <div className="stack">
            <PriceFields
              draft={draft}
              set={(part) => setDraft((now) => ({ ...now, ...part }))}
              errorAt={(path) => errors[path]?.[0]}
            />
          </div>
          <div className="stack">
            <Amounts draft={draft} />
          </div>
          <section className="save-bar" aria-label={t('prices.new')}>
            <span className={create.isError ? 'grow wrong' : 'grow muted'} role={create.isError ? 'alert' : undefined}>
              {create.isError ? problemText(create.error) : t('prices.new_about')}
            </span>
            <ButtonLink to="/licenses/prices" search={{}}>
              {t('common.back')}
            </ButtonLink>
            <Button type="submit" look="primary" disabled={create.isPending}>
              {t('prices.create')}
            </Button>
          </section>
        </form>
      ) : (
        <p className="notice">{t('licenses.not_allowed')}</p>
      )}
    </Page>
  )
}
