import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import { isAmount, isWeight, NEW_RATE, type RateDraft } from './draft.ts'

type RatesProps = { rates: readonly RateDraft[]; set: (rates: readonly RateDraft[]) => void; errorAt: ErrorAt }

/** What parcels cost, by weight. */
export function Rates({ rates, set, errorAt }: RatesProps) {
  const { currency } = useSession()
  return (
    <fieldset className="stack">
      <legend className="hidden">{t('shipping.rates')}</legend>
      {rates.map((rate, place) => (
        // Lines have no name of their own, and their fields hold no state.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={place} className="rate">
          <TextField
            label={t('shipping.weight')}
            {...(place === 0 ? { hint: t('shipping.weight_hint') } : {})}
            value={rate.kilograms}
            onValue={(kilograms) => set(rates.with(place, { ...rate, kilograms }))}
            error={isWeight(rate.kilograms) ? errorAt(`weight_rates[${place}].weight_max`) : t('shipping.weight_wrong')}
            maxLength={10}
          />
          <TextField
            label={t('shipping.rate_price', { currency })}
            value={rate.amount}
            onValue={(amount) => set(rates.with(place, { ...rate, amount, price_id: null }))}
            error={isAmount(rate.amount) ? errorAt(`weight_rates[${place}].price_id`) : t('shipping.amount_wrong')}
            maxLength={20}
          />
          <Button
            look="plain"
            icon="close"
            aria-label={t('shipping.remove_rate', { line: place + 1 })}
            onClick={() => set(rates.toSpliced(place, 1))}
          />
        </div>
      ))}
      <div className="actions">
        <Button icon="plus" onClick={() => set([...rates, NEW_RATE])}>
          {t('shipping.add_rate')}
        </Button>
      </div>
      <p className="hint">{t('shipping.rates_hint')}</p>
    </fieldset>
  )
}
