import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { customerQuery } from '../customers/queries.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { Card, Page } from '../ui/page.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { BuyerFields } from './new-buyer.tsx'
import { EMPTY_DRAFT, inputOf, KINDS, type OrderDraft } from './new-draft.ts'
import { LineFields } from './new-lines.tsx'
import { Sums } from './new-sums.tsx'

const route = getRouteApi('/orders/new')

/** An order that somebody of the company makes, for a customer who wrote or called. */
export function NewOrder() {
  const { customer: token } = route.useSearch()
  const [draft, setDraft] = useState<OrderDraft>(EMPTY_DRAFT)
  const set = (part: Partial<OrderDraft>) => setDraft((now) => ({ ...now, ...part }))
  const navigate = useNavigate()
  const client = useQueryClient()
  const named = useQuery({ ...customerQuery(token ?? ''), enabled: token !== undefined }).data
  useEffect(() => {
    if (named !== undefined) setDraft((now) => (now.customer === undefined ? { ...now, customer: named } : now))
  }, [named])
  const input = inputOf(draft)
  const calculation = useQuery({
    queryKey: ['order calculations', input],
    enabled: draft.lines.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.orders.calculate(input, { signal }),
  })
  const create = useMutation({
    mutationFn: () => api.orders.create(input),
    onSuccess: (order) => {
      toast(t('new_order.created', { order: order.name }))
      void client.invalidateQueries({ queryKey: ['orders'] })
      void navigate({ to: '/orders/$id', params: { id: String(order.id) } })
    },
  })
  const isNamed = draft.customer !== undefined || draft.email !== ''
  const isReady = isNamed && draft.lines.length > 0 && (draft.kind !== 'free' || draft.reason.trim() !== '')
  // What is wrong is shown while somebody types; what only the creation finds out stays until it is tried again.
  const failure = create.error ?? (draft.lines.length > 0 ? calculation.error : null)
  const errors = errorsOf(failure)
  const errorAt = (path: string) => errors[path]?.[0]
  const change = (part: Partial<OrderDraft>) => {
    create.reset()
    set(part)
  }
  return (
    <Page title={t('new_order.title')} trail={{ to: '/orders', title: t('menu.orders') }}>
      <form
        className="columns"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) create.mutate()
        }}
      >
        <div className="stack">
          <BuyerFields draft={draft} set={change} errorAt={errorAt} />
          <LineFields draft={draft} set={change} errors={errors} />
        </div>
        <div className="stack">
          <Card title={t('new_order.payment')}>
            <div className="card-body stack">
              <fieldset className="choices one">
                <legend className="hidden">{t('new_order.payment')}</legend>
                {KINDS.map((kind) => (
                  <label key={kind} className="choice">
                    <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => change({ kind })} />
                    <span className="strong">{t(`new_order.kinds.${kind}`)}</span>
                    <span className="muted small">{t(`new_order.about.${kind}`)}</span>
                  </label>
                ))}
              </fieldset>
              {errorAt('on_account') !== undefined && <p className="hint wrong">{t('new_order.no_transfer')}</p>}
              {draft.kind === 'free' ? (
                <TextField
                  label={t('new_order.reason')}
                  hint={t('new_order.reason_hint')}
                  value={draft.reason}
                  onValue={(reason) => change({ reason })}
                  maxLength={500}
                  error={errorAt('free_reason')}
                />
              ) : (
                <TextField
                  label={t('new_order.code')}
                  value={draft.code}
                  onValue={(code) => change({ code })}
                  maxLength={100}
                  error={errorAt('discount_codes[0].code')}
                />
              )}
              <Check label={t('new_order.notify')} isOn={draft.notify} onChange={(notify) => change({ notify })} />
            </div>
          </Card>
          <Sums
            calculation={draft.lines.length === 0 ? undefined : calculation.data}
            isWaiting={calculation.isFetching}
          />
          {failure !== null && (
            <p className="notice bad" role="alert">
              {problemText(failure)}
            </p>
          )}
          <div className="actions">
            <Button type="submit" look="primary" disabled={!isReady || create.isPending}>
              {t(`new_order.create.${draft.kind}`)}
            </Button>
            <ButtonLink look="plain" to="/orders" search={{}}>
              {t('common.back')}
            </ButtonLink>
          </div>
        </div>
      </form>
    </Page>
  )
}
