import { useQuery } from '@tanstack/react-query'
import { namedCountries } from '../licenses/countries.tsx'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { centsIn, countryName, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { amountsOf, CURRENCIES, type Draft } from './draft.ts'
import { amountsQuery } from './queries.ts'

type FieldsProps = { draft: Draft; set: (part: Partial<Draft>) => void; errorAt: ErrorAt }

/** The name of a price and its amounts, by currency and by country. */
export function PriceFields({ draft, set, errorAt }: FieldsProps) {
  const { currencies, countries } = draft
  const others = CURRENCIES.filter((each) => !currencies.some(({ currency }) => currency === each))
  const elsewhere = namedCountries().filter(({ code }) => !countries.some(({ country_code }) => country_code === code))
  return (
    <Card title={t('prices.amounts')} aside={t('prices.amounts_about')}>
      <div className="card-body stack">
        <TextField
          label={t('prices.name')}
          hint={t('prices.name_hint')}
          value={draft.title}
          onValue={(title) => set({ title })}
          error={errorAt('title')}
        />
        {currencies.map(({ currency, typed }, place) => (
          <AmountRow
            key={currency}
            title={currency}
            typed={typed}
            onTyped={(text) => set({ currencies: currencies.with(place, { currency, typed: text }) })}
            remove={() => set({ currencies: currencies.toSpliced(place, 1) })}
            error={errorAt(`currencies[${place}].price`) ?? errorAt(`currencies[${place}].currency`)}
          />
        ))}
        {errorAt('currencies') !== undefined && <p className="hint wrong">{errorAt('currencies')}</p>}
        {countries.map(({ country_code, typed }, place) => (
          <AmountRow
            key={country_code}
            title={countryName(country_code)}
            typed={typed}
            onTyped={(text) => set({ countries: countries.with(place, { country_code, typed: text }) })}
            remove={() => set({ countries: countries.toSpliced(place, 1) })}
            error={errorAt(`countries[${place}].price`) ?? errorAt(`countries[${place}].country_code`)}
          />
        ))}
        <div className="actions">
          <select
            className="input unit"
            aria-label={t('offers.add_currency')}
            value=""
            onChange={({ target }) => set({ currencies: [...currencies, { currency: target.value, typed: '' }] })}
          >
            <option value="">{t('offers.add_currency')}</option>
            {others.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <select
            className="input unit"
            aria-label={t('prices.add_country')}
            value=""
            onChange={({ target }) => set({ countries: [...countries, { country_code: target.value, typed: '' }] })}
          >
            <option value="">{t('prices.add_country')}</option>
            {elsewhere.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
    </Card>
  )
}

type AmountRowProps = {
  title: string
  typed: string
  onTyped: (typed: string) => void
  remove: () => void
  error: string | undefined
}

function AmountRow({ title, typed, onTyped, remove, error }: AmountRowProps) {
  return (
    <div className="amount-row">
      <TextField
        label={t('prices.amount_of', { name: title })}
        value={typed}
        onValue={onTyped}
        maxLength={20}
        error={typed !== '' && centsIn(typed) === undefined ? t('offers.amount_wrong') : error}
      />
      <Button look="plain" icon="close" aria-label={t('prices.remove', { name: title })} onClick={remove} />
    </div>
  )
}

/** What customers pay in other currencies: what the price names, and what is converted. */
export function Amounts({ draft }: { draft: Draft }) {
  const price = amountsOf(draft)
  const asked = [...new Set([...draft.currencies.map(({ currency }) => currency), ...CURRENCIES])]
  const amounts = useQuery(
    amountsQuery(
      price,
      asked.map((each) => each.toLowerCase()),
    ),
  ).data
  return (
    <Card title={t('prices.customers_pay')}>
      <div className="card-body">
        {price === undefined || amounts === undefined ? (
          <p className="muted">{t('prices.type_first')}</p>
        ) : (
          <dl className="amounts">
            {amounts.map(({ currency, price: cents, converted }) => (
              <div key={currency}>
                <dt>{currency.toUpperCase()}</dt>
                <dd>
                  <span className="figure strong">{money(cents, currency.toUpperCase())}</span>
                  <span className="muted small block">{converted ? t('prices.converted') : t('prices.fixed')}</span>
                </dd>
              </div>
            ))}
          </dl>
        )}
        <p className="hint">{t('prices.conversion')}</p>
      </div>
    </Card>
  )
}
