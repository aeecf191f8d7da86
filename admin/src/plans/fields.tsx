import '../products/products.css'
import { useQuery } from '@tanstack/react-query'
import { Texts } from '../groups/texts.tsx'
import { pricesQuery } from '../products/queries.ts'
import { useSession } from '../session/session.ts'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { Check, SelectField, TextArea, TextField } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import { isAmount, type PlanDraft, wholeIn } from './draft.ts'
import { INTERVALS, nameOfPrice } from './words.ts'

type FieldsProps = {
  draft: PlanDraft
  set: (part: Partial<PlanDraft>) => void
  errorAt: ErrorAt
  /** Was there an attempt to save? Nobody is told that a field is empty before that. */
  isTried: boolean
  /** Is it a plan that people may have agreed to? Then its interval stays. */
  isAgreed: boolean
}

/** What can be said of a plan. */
export function PlanFields(props: FieldsProps) {
  const { draft, set, errorAt } = props
  return (
    <>
      <TextField
        label={t('plans.title')}
        hint={t('plans.title_hint')}
        value={draft.title}
        onValue={(title) => set({ title })}
        error={errorAt('title')}
        maxLength={100}
      />
      <Cost {...props} />
      <Terms {...props} />
      <Check label={t('plans.pausable')} isOn={draft.pausable} onChange={(pausable) => set({ pausable })} />
      <details>
        <summary>{t('plans.texts')}</summary>
        <div className="stack with-gap">
          <TextArea
            label={t('plans.description')}
            value={draft.description}
            onValue={(description) => set({ description })}
            error={errorAt('description')}
            maxLength={2000}
          />
          <Texts texts={draft.texts} set={(texts) => set({ texts })} errorAt={errorAt} />
        </div>
      </details>
    </>
  )
}

const OTHER = ''

/** What each period costs, and how long it is. */
function Cost({ draft, set, errorAt, isTried, isAgreed }: FieldsProps) {
  const { currency } = useSession()
  const prices = [...(useQuery(pricesQuery).data?.values() ?? [])]
  const usable = prices.filter(({ id, valid }) => valid === 1 || id === draft.price)
  return (
    <>
      <div className="pair">
        <SelectField
          label={t('plans.price')}
          value={String(draft.price ?? OTHER)}
          options={[
            { value: OTHER, title: t('plans.other_amount') },
            ...usable.map((price) => ({ value: String(price.id), title: nameOfPrice(price) })),
          ]}
          onValue={(value) => set({ price: value === OTHER ? undefined : Number(value) })}
          error={draft.price === undefined ? undefined : errorAt('price_id')}
        />
        {draft.price === undefined && (
          <TextField
            label={t('plans.amount', { currency })}
            value={draft.amount}
            onValue={(amount) => set({ amount })}
            error={!isAmount(draft) && (isTried || draft.amount !== '') ? t('plans.amount_wrong') : errorAt('price_id')}
            maxLength={20}
          />
        )}
      </div>
      {isAgreed ? (
        <p className="muted small">{t('plans.agreed')}</p>
      ) : (
        <div className="pair">
          <NumberField
            label={t('plans.every')}
            typed={draft.count}
            onTyped={(count) => set({ count })}
            error={errorAt('interval_count')}
          />
          <SelectField
            label={t('plans.interval')}
            value={draft.interval}
            options={INTERVALS.map((value) => ({
              value,
              title: t(`plans.intervals.${value}`, { count: wholeIn(draft.count) ?? 1 }),
            }))}
            onValue={(interval) => set({ interval })}
            error={errorAt('interval')}
          />
        </div>
      )}
    </>
  )
}

/** What is free, how long people are bound to it, and when it ends. */
function Terms({ draft, set, errorAt }: FieldsProps) {
  return (
    <>
      <div className="pair">
        <NumberField
          label={t('plans.trial')}
          hint={t('plans.trial_hint')}
          typed={draft.trial}
          onTyped={(trial) => set({ trial })}
          error={errorAt('trial_days')}
        />
        <NumberField
          label={t('plans.minimum')}
          hint={t('plans.minimum_hint')}
          typed={draft.minimum}
          onTyped={(minimum) => set({ minimum })}
          error={errorAt('minimum_periods')}
        />
      </div>
      <div className="pair">
        <SelectField
          label={t('plans.lasts')}
          value={draft.lasts}
          options={(['open', 'once', 'times'] as const).map((value) => ({ value, title: t(`plans.lasting.${value}`) }))}
          onValue={(lasts) => set({ lasts })}
          error={draft.lasts === 'times' ? undefined : errorAt('renewals')}
        />
        {draft.lasts === 'times' && (
          <NumberField
            label={t('plans.renewals')}
            typed={draft.renewals}
            onTyped={(renewals) => set({ renewals })}
            error={errorAt('renewals')}
          />
        )}
      </div>
    </>
  )
}

type NumberFieldProps = {
  label: string
  hint?: string
  typed: string
  onTyped: (typed: string) => void
  error: string | undefined
}

function NumberField({ label, hint, typed, onTyped, error }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      value={typed}
      onValue={onTyped}
      error={wholeIn(typed) === undefined && typed !== '' ? t('plans.number_wrong') : error}
      inputMode="numeric"
      maxLength={4}
    />
  )
}
