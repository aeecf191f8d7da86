import { useSession } from '../../session/session.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { centsIn } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { Amount } from '../draft.ts'
import { isBlank } from '../price-models.ts'
import type { Price } from '../queries.ts'

/** The currencies that are offered first; others are typed as their codes. */
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK', 'JPY', 'CAD', 'AUD']

/** The amounts of a price model as they would be typed; without one, an empty field in the currency of the shop. */
export function useTyped(price: Price | undefined): Amount[] {
  const { currency } = useSession()
  if (price === undefined || price.currencies.length === 0) return [{ currency, typed: '' }]
  return price.currencies.map((each) => ({
    currency: each.currency.toUpperCase(),
    typed: (each.price / 100).toFixed(2),
  }))
}

type PriceFieldsProps = {
  amounts: readonly Amount[]
  onAmounts: (amounts: Amount[]) => void
  /** What is wrong with the amounts. */
  error: string | undefined
}

/** Asks for an amount in each currency. */
export function PriceFields({ amounts, onAmounts, error }: PriceFieldsProps) {
  const others = CURRENCIES.filter((each) => !amounts.some(({ currency }) => currency === each))
  return (
    <div className="new-price">
      {amounts.map(({ currency, typed }, place) => (
        <TextField
          key={currency}
          label={t('offers.amount', { currency })}
          value={typed}
          onValue={(text) => onAmounts(amounts.with(place, { currency, typed: text }))}
          error={isBlank(amounts) || centsIn(typed) === undefined ? error : undefined}
          maxLength={20}
        />
      ))}
      {others.length > 0 && (
        <select
          className="input currency"
          aria-label={t('offers.add_currency')}
          value=""
          onChange={({ target }) => onAmounts([...amounts, { currency: target.value, typed: '' }])}
        >
          <option value="">{t('offers.add_currency')}</option>
          {others.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
    </div>
  )
}
