import type { ErrorAt } from '../ui/forms/editing.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Draft } from './company-draft.ts'

type InvoiceCardProps = { draft: Draft; set: (part: Partial<Draft>) => void; errorAt: ErrorAt }

/** What invoices and credit notes say beside the company: numbers, taxes, and when a bill is due. */
export function InvoiceCard({ draft, set, errorAt }: InvoiceCardProps) {
  const text = (name: 'prefix' | 'credit_prefix' | 'vat_id' | 'note', maxLength: number) => (
    <TextField
      label={t(`settings.company.invoices.${name}`)}
      hint={t(`settings.company.invoices.${name}_hint`)}
      name={name}
      autoComplete="off"
      value={draft[name]}
      onValue={(typed) => set({ [name]: typed })}
      error={errorAt(name)}
      maxLength={maxLength}
    />
  )
  return (
    <Card title={t('settings.company.invoices.title')}>
      <div className="card-body settings-fields">
        {text('prefix', 20)}
        {text('credit_prefix', 20)}
        {text('vat_id', 30)}
        <TextField
          label={t('settings.company.invoices.payment_days')}
          hint={t('settings.company.invoices.payment_days_hint')}
          name="payment_days"
          inputMode="numeric"
          value={draft.payment_days}
          onValue={(typed) => set({ payment_days: typed.replace(/\D/g, '') || '0' })}
          error={errorAt('payment_days')}
          maxLength={3}
        />
        <div className="whole">{text('note', 500)}</div>
        <div className="whole">
          <Check
            label={t('settings.company.invoices.check_vat_ids')}
            isOn={draft.check_vat_ids}
            onChange={(check_vat_ids) => set({ check_vat_ids })}
          />
          <p className="hint">{t('settings.company.invoices.check_hint')}</p>
        </div>
      </div>
    </Card>
  )
}
