import type { Schemas } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/editing.tsx'
import { Card } from '../ui/page.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Draft, Offer } from './draft.ts'
import { NewPrice } from './new-price.tsx'
import { licensesQuery, type Price, pricesQuery } from './queries.ts'
import { partsOf } from './types.ts'

type OffersProps = {
  type: number
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
}

const nameOfPrice = ({ title, currencies }: Price) =>
  [title, ...currencies.slice(0, 3).map(({ price, currency }) => money(price, currency.toUpperCase()))].join(' · ')

/** Under which licenses the product is sold, and for how much. */
export function Offers({ type, draft, set, errorAt }: OffersProps) {
  const licenses = useQuery(licensesQuery).data ?? []
  const prices = [...(useQuery(pricesQuery).data?.values() ?? [])]
  const [pricedPlace, setPricedPlace] = useState<number>()
  const { hasLicenses } = partsOf(type)
  const change = (place: number, part: Partial<Offer>) =>
    set({ offers: draft.offers.map((offer, each) => (each === place ? { ...offer, ...part } : offer)) })
  return (
    <Card title={t('offers.title')} end={draft.offers.length === 0 ? t('offers.none') : undefined}>
      <ul className="rows">
        {draft.offers.map((offer, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an offer that is new has nothing else
          <li key={place}>
            {hasLicenses && (
              <Choice
                label={t('offers.license')}
                value={offer.license_id ?? null}
                choices={licenses.map(({ id, name }: Schemas['License']) => ({ id, name }))}
                error={errorAt(`price_license_binding[${place}].license_id`)}
                onValue={(license_id) => change(place, { license_id })}
              />
            )}
            <Choice
              label={t('offers.price')}
              value={offer.price_id ?? null}
              choices={prices.map((price) => ({ id: price.id, name: nameOfPrice(price) }))}
              error={errorAt(`price_license_binding[${place}].price_id`)}
              onValue={(price_id) => change(place, { price_id })}
            />
            <Button onClick={() => setPricedPlace(place)}>{t('offers.new_price')}</Button>
            <Button look="danger" onClick={() => set({ offers: draft.offers.filter((_, each) => each !== place) })}>
              {t('offers.remove')}
            </Button>
            {pricedPlace === place && (
              <NewPrice made={(price_id) => change(place, { price_id })} close={() => setPricedPlace(undefined)} />
            )}
          </li>
        ))}
      </ul>
      <div className="card-body">
        <Button onClick={() => set({ offers: [...draft.offers, { license_id: null, price_id: null }] })}>
          {t('offers.add')}
        </Button>
      </div>
    </Card>
  )
}

type ChoiceProps = {
  label: string
  value: number | null
  choices: readonly { id: number; name: string }[]
  error: string | undefined
  onValue: (id: number | null) => void
}

function Choice({ label, value, choices, error, onValue }: ChoiceProps) {
  return (
    <label className="field grow">
      <span className="small muted">{label}</span>
      <select
        className="input"
        value={value ?? ''}
        aria-invalid={error !== undefined}
        onChange={(event) => onValue(event.target.value === '' ? null : Number(event.target.value))}
      >
        <option value="">{t('offers.choose')}</option>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {error !== undefined && <span className="hint wrong">{error}</span>}
    </label>
  )
}
