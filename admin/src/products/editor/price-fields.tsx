import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { problemText } from '../../ui/problem.tsx'
import { centsIn, money } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { findSame } from '../price-models.ts'
import { type Price, pricesQuery, useCreatePrice } from '../queries.ts'

type Amount = { currency: string; typed: string }

/** The currencies that are offered first; others are typed as their codes. */
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK', 'JPY', 'CAD', 'AUD']

const typedOf = (cents: number) => (cents / 100).toFixed(2)

type PriceFieldsProps = {
  /** The price that the offer has so far. */
  price: Price | undefined
  chosen: (id: number) => void
  close: () => void
}

/** Asks for an amount in each currency, and takes the price model that has them, or makes it. */
export function PriceFields({ price, chosen, close }: PriceFieldsProps) {
  const { currency: home } = useSession()
  const prices = useQuery(pricesQuery).data
  const create = useCreatePrice()
  const [amounts, setAmounts] = useState<readonly Amount[]>(() =>
    price === undefined || price.currencies.length === 0
      ? [{ currency: home, typed: '' }]
      : price.currencies.map((each) => ({ currency: each.currency.toUpperCase(), typed: typedOf(each.price) })),
  )
  const [isTried, setIsTried] = useState(false)
  const others = CURRENCIES.filter((each) => !amounts.some(({ currency }) => currency === each))
  const store = () => {
    setIsTried(true)
    const read = amounts.map(({ currency, typed }) => ({ currency: currency.toLowerCase(), cents: centsIn(typed) }))
    const cents = read.flatMap(({ currency, cents }) => (cents === undefined ? [] : [{ currency, price: cents }]))
    if (cents.length < read.length) return
    const same = findSame(prices?.values() ?? [], cents)
    const use = (id: number) => {
      chosen(id)
      close()
    }
    if (same !== undefined) return use(same.id)
    const title = cents.map((each) => money(each.price, each.currency.toUpperCase())).join(' · ')
    create.mutate({ title, currencies: cents }, { onSuccess: ({ id }) => use(id) })
  }
  return (
    <div className="new-price">
      {amounts.map(({ currency, typed }, place) => (
        <TextField
          key={currency}
          label={t('offers.amount', { currency })}
          value={typed}
          onValue={(text) => setAmounts(amounts.with(place, { currency, typed: text }))}
          error={isTried && centsIn(typed) === undefined ? t('offers.amount_wrong') : undefined}
          maxLength={20}
        />
      ))}
      {others.length > 0 && (
        <select
          className="input currency"
          aria-label={t('offers.add_currency')}
          value=""
          onChange={({ target }) => setAmounts([...amounts, { currency: target.value, typed: '' }])}
        >
          <option value="">{t('offers.add_currency')}</option>
          {others.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      <Button onClick={store} disabled={create.isPending}>
        {t('offers.make_price')}
      </Button>
      <Button look="plain" onClick={close}>
        {t('common.back')}
      </Button>
      {create.isError && <p className="hint wrong">{problemText(create.error)}</p>}
    </div>
  )
}
