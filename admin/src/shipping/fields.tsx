import { useSession } from '../session/session.ts'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { t } from '../words/words.ts'
import { Countries } from './countries.tsx'
import { isAmount, isDays, type MethodDraft, NEW_RATE } from './draft.ts'
import { Rates } from './rates.tsx'

type FieldsProps = { draft: MethodDraft; set: (part: Partial<MethodDraft>) => void; errorAt: ErrorAt }

/** What can be said of a shipping method. */
export function MethodFields(props: FieldsProps) {
  const { draft, set, errorAt } = props
  const country = draft.countries.findIndex((_code, place) => errorAt(`countries[${place}]`) !== undefined)
  return (
    <>
      <Card title={t('shipping.where')}>
        <div className="card-body stack">
          <TextField
            label={t('shipping.title')}
            hint={t('shipping.title_hint')}
            value={draft.title}
            onValue={(title) => set({ title })}
            error={errorAt('title')}
            maxLength={100}
          />
          <Countries
            chosen={draft.countries}
            choose={(countries) => set({ countries })}
            error={country < 0 ? undefined : errorAt(`countries[${country}]`)}
          />
        </div>
      </Card>
      <CostCard {...props} />
      <Card title={t('shipping.time')}>
        <div className="card-body pair">
          {(['daysMin', 'daysMax'] as const).map((name) => (
            <TextField
              key={name}
              label={t(name === 'daysMin' ? 'shipping.days_min' : 'shipping.days_max')}
              value={draft[name]}
              onValue={(typed) => set({ [name]: typed })}
              error={
                isDays(draft[name])
                  ? errorAt(name === 'daysMin' ? 'delivery_days_min' : 'delivery_days_max')
                  : t('shipping.days_wrong')
              }
              inputMode="numeric"
              maxLength={3}
            />
          ))}
        </div>
      </Card>
      <Card title={t('shipping.tracking')}>
        <div className="card-body stack">
          <TextField
            label={t('shipping.carrier')}
            hint={t('shipping.carrier_hint')}
            value={draft.tracking_company}
            onValue={(tracking_company) => set({ tracking_company })}
            error={errorAt('tracking_company')}
            maxLength={100}
          />
          <TextField
            label={t('shipping.tracking_url')}
            hint={t('shipping.tracking_url_hint', { placeholder: '{tracking_number}' })}
            value={draft.tracking_url}
            onValue={(tracking_url) => set({ tracking_url })}
            error={errorAt('tracking_url')}
            maxLength={500}
          />
        </div>
      </Card>
    </>
  )
}

function CostCard({ draft, set, errorAt }: FieldsProps) {
  const { currency } = useSession()
  const byWeight = () => set({ mode: 'weight', rates: draft.rates.length === 0 ? [NEW_RATE] : draft.rates })
  return (
    <Card title={t('shipping.cost')}>
      <div className="card-body stack">
        <Segments
          label={t('shipping.cost')}
          values={(['one', 'weight'] as const).map((value) => ({ value, title: t(`shipping.modes.${value}`) }))}
          chosen={draft.mode}
          choose={(mode) => (mode === 'weight' ? byWeight() : set({ mode }))}
        />
        {draft.mode === 'one' ? (
          <TextField
            label={t('shipping.amount', { currency })}
            hint={t('shipping.amount_hint')}
            value={draft.amount}
            onValue={(amount) => set({ amount, price_id: null })}
            error={isAmount(draft.amount) ? errorAt('price_id') : t('shipping.amount_wrong')}
            maxLength={20}
          />
        ) : (
          <Rates rates={draft.rates} set={(rates) => set({ rates })} errorAt={errorAt} />
        )}
        <TextField
          label={t('shipping.free_from_label', { currency })}
          hint={t('shipping.free_from_hint')}
          value={draft.freeFrom}
          onValue={(freeFrom) => set({ freeFrom })}
          error={isAmount(draft.freeFrom) ? errorAt('free_from') : t('shipping.amount_wrong')}
          maxLength={20}
        />
      </div>
    </Card>
  )
}
