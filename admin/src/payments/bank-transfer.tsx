import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type PaymentSettings, useChangePayments } from './queries.ts'
import { Way } from './way.tsx'

type Settings = PaymentSettings['manual']

/** The customer gets a bill, and the owner marks it as paid. */
export function BankTransfer({ settings }: { settings: Settings }) {
  const [instructions, setInstructions] = useState(settings.instructions)
  const [days, setDays] = useState(String(settings.payment_due_days))
  const [hours, setHours] = useState(String(settings.guest_bill_hours))
  const change = useChangePayments()
  const errors = errorsOf(change.error)
  const isChanged =
    instructions !== settings.instructions ||
    days !== String(settings.payment_due_days) ||
    hours !== String(settings.guest_bill_hours)
  const isMissing = instructions.trim() === ''
  const save = (enabled: boolean) =>
    change.mutate(
      { manual: { enabled, instructions, payment_due_days: Number(days), guest_bill_hours: Number(hours) } },
      { onSuccess: () => toast(t(enabled ? 'payments.bank.is_on' : 'payments.bank.is_off')) },
    )
  return (
    <Way
      icon="bank"
      title={t('payments.bank.title')}
      text={t('payments.bank.text')}
      isOn={settings.enabled}
      // Without instructions customers would not know where to send the money.
      onSwitch={isMissing && !settings.enabled ? undefined : save}
      isBusy={change.isPending}
    >
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          save(true)
        }}
      >
        <TextArea
          label={t('payments.bank.instructions')}
          hint={t('payments.bank.instructions_hint')}
          value={instructions}
          onValue={setInstructions}
          error={errors['manual.instructions']?.[0]}
        />
        <TextField
          label={t('payments.bank.days')}
          hint={t('payments.bank.days_hint')}
          value={days}
          onValue={(typed) => setDays(typed.replace(/\D/g, ''))}
          error={errors['manual.payment_due_days']?.[0]}
          maxLength={3}
        />
        <TextField
          label={t('payments.bank.hours')}
          hint={t('payments.bank.hours_hint')}
          inputMode="numeric"
          value={hours}
          onValue={(typed) => setHours(typed.replace(/\D/g, ''))}
          error={errors['manual.guest_bill_hours']?.[0]}
          maxLength={4}
        />
        {change.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(change.error)}
          </p>
        )}
        <div className="actions">
          <Button
            type="submit"
            look={settings.enabled && !isChanged ? 'plain' : 'primary'}
            disabled={change.isPending || isMissing || days === '' || hours === '' || (settings.enabled && !isChanged)}
          >
            {t(settings.enabled ? 'save.save' : 'payments.bank.turn_on')}
          </Button>
        </div>
      </form>
    </Way>
  )
}
