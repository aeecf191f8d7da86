import { useState } from 'react'
import { COUNTRIES } from '../settings/countries.gen.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Refusal } from '../ui/forms/changed.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { errorsOf } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { countryName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { TAX_CLASSES, type TaxRate, useCreateRate, useSaveRate } from './queries.ts'

/** A percentage that was typed, with three decimals at most; undefined if it is none. */
function percentIn(typed: string): number | undefined {
  const text = typed.trim().replace(',', '.')
  return /^\d{1,3}(\.\d{1,3})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined
}

type RateDialogProps = {
  /** The rate that is changed, as it was read; absent for a new one. */
  read?: { rate: TaxRate; etag: string }
  /** Reads it once more. */
  renew?: () => void
  close: () => void
}

/** Sets a rate of one's own, or changes it. */
export function RateDialog({ read, renew = () => undefined, close }: RateDialogProps) {
  // What was typed is a change of this version, whatever is read meanwhile.
  const [base] = useState(read)
  const rate = base?.rate
  const [country, setCountry] = useState(rate?.country_code ?? 'CH')
  const [taxClass, setTaxClass] = useState(rate?.tax_class ?? 'standard')
  const [typed, setTyped] = useState(rate === undefined ? '' : String(rate.percent))
  const [name, setName] = useState(rate?.name ?? '')
  const [isTried, setTried] = useState(false)
  const [create, save] = [useCreateRate(), useSaveRate()]
  const { error, isPending } = rate === undefined ? create : save
  const errors = errorsOf(error)
  const percent = percentIn(typed)
  const store = (etag = base?.etag) => {
    if (percent === undefined) return
    const input = { country_code: country, tax_class: taxClass, percent, ...(name.trim() === '' ? {} : { name }) }
    const onSuccess = () => {
      toast(t(rate === undefined ? 'taxes.created' : 'taxes.saved', { country: countryName(country) }))
      close()
    }
    if (rate === undefined) create.mutate(input, { onSuccess })
    else save.mutate({ id: rate.id, etag, ...input }, { onSuccess })
  }
  const countries = COUNTRIES.map((code) => ({ value: code, title: countryName(code) })).sort((one, other) =>
    one.title.localeCompare(other.title),
  )
  return (
    <Dialog
      title={rate === undefined ? t('taxes.new') : t('taxes.change', { country: countryName(country) })}
      close={close}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          store()
        }}
      >
        <SelectField
          label={t('taxes.country')}
          hint={t('taxes.export_hint')}
          value={country}
          onValue={setCountry}
          options={countries}
          error={errors.country_code?.[0]}
        />
        <SelectField
          label={t('taxes.class')}
          value={taxClass}
          onValue={setTaxClass}
          options={TAX_CLASSES.map((value) => ({ value, title: t(`taxes.classes.${value}`) }))}
          error={errors.tax_class?.[0]}
        />
        <TextField
          label={t('taxes.percent')}
          value={typed}
          onValue={setTyped}
          error={percent === undefined && (isTried || typed !== '') ? t('taxes.percent_wrong') : errors.percent?.[0]}
          maxLength={10}
        />
        <TextField
          label={t('taxes.name')}
          hint={t('taxes.name_hint')}
          value={name}
          onValue={setName}
          error={errors.name?.[0]}
          maxLength={50}
        />
        {error !== null && Object.keys(errors).length === 0 && (
          <Refusal error={error} showTheirs={renew} saveMine={() => store('*')} />
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={isPending}>
            {t(rate === undefined ? 'taxes.create' : 'taxes.save')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
