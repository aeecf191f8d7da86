import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Segments } from '../ui/segments.tsx'
import { t } from '../words/words.ts'
import { type DiscountDraft, isLimit, makeUpCode, worthIn } from './draft.ts'

type FieldsProps = {
  draft: DiscountDraft
  set: (part: Partial<DiscountDraft>) => void
  errorAt: ErrorAt
  /** Was there an attempt to save? Nobody is told that a field is empty before that. */
  isTried: boolean
}

/** What can be said of a discount. */
export function DiscountFields({ draft, set, errorAt, isTried }: FieldsProps) {
  const { currency } = useSession()
  const isPercent = draft.type === 'percentage'
  const isWrong = worthIn(draft) === undefined && (isTried || draft.worth !== '')
  return (
    <>
      <div className="with-end code-field">
        <TextField
          label={t('discounts.code')}
          hint={t('discounts.code_hint')}
          value={draft.code}
          onValue={(code) => set({ code })}
          error={errorAt('code')}
          maxLength={100}
        />
        {draft.code === '' && <Button onClick={() => set({ code: makeUpCode() })}>{t('discounts.random')}</Button>}
      </div>
      <Segments
        label={t('discounts.kind')}
        values={(['percentage', 'fixed_amount'] as const).map((value) => ({
          value,
          title: t(`discounts.kinds.${value}`),
        }))}
        chosen={draft.type}
        choose={(type) => set({ type, worth: '' })}
      />
      <TextField
        label={isPercent ? t('discounts.percent_label') : t('discounts.amount_label', { currency })}
        value={draft.worth}
        onValue={(worth) => set({ worth })}
        error={isWrong ? t(isPercent ? 'discounts.worth_wrong' : 'discounts.amount_wrong') : errorAt('amount')}
        maxLength={20}
      />
      <div className="pair">
        <TextField
          type="date"
          label={t('discounts.starts')}
          hint={t('discounts.starts_hint')}
          value={draft.starts}
          onValue={(starts) => set({ starts })}
          error={errorAt('starts_at')}
        />
        <TextField
          type="date"
          label={t('discounts.ends')}
          hint={t('discounts.ends_hint')}
          value={draft.ends}
          onValue={(ends) => set({ ends })}
          error={errorAt('ends_at')}
        />
      </div>
      <TextField
        label={t('discounts.limit')}
        hint={t('discounts.limit_hint')}
        value={draft.limit}
        onValue={(limit) => set({ limit })}
        error={isLimit(draft.limit) ? errorAt('usage_limit') : t('discounts.limit_wrong')}
        inputMode="numeric"
        maxLength={10}
      />
    </>
  )
}
