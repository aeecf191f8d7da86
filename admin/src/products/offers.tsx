import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { licenseName, nameIn } from '../licenses/names.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { Field, SelectField, TextField } from '../ui/forms/fields.tsx'
import { Help } from '../ui/help.tsx'
import { Card } from '../ui/page.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Draft, Offer } from './draft.ts'
import { NewLicense } from './editor/new-license.tsx'
import { PriceFields, useTyped } from './editor/price-fields.tsx'
import { termsQuery } from './editor/terms.ts'
import { amountsText } from './price-models.ts'
import { type License, licensesQuery, type Price, pricesQuery } from './queries.ts'
import { partsOf } from './types.ts'

type OffersProps = {
  type: number
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
}

const amountsOf = ({ currencies }: Price) =>
  currencies.map(({ price, currency }) => money(price, currency.toUpperCase())).join(' · ')

const nameOfPrice = (price: Price) => [...new Set([price.title, amountsOf(price)])].join(' · ')

/** Under which licenses the product is sold, and for how much. */
export function Offers({ type, draft, set, errorAt }: OffersProps) {
  const [open, setOpen] = useState<number>()
  const nothingTyped = useTyped(undefined)
  const { hasLicenses } = partsOf(type)
  const { offers } = draft
  // Goods have one price and no license.
  const mayAdd = hasLicenses || offers.length === 0
  return (
    <Card
      title={t('offers.title')}
      aside={
        <>
          {t('offers.about')} <Help term="offer" />
        </>
      }
    >
      {offers.length === 0 && <p className="card-body muted">{t('offers.none')}</p>}
      <ul className="rows offers">
        {offers.map((offer, place) => (
          <OfferRow
            // biome-ignore lint/suspicious/noArrayIndexKey: an offer that is new has nothing else
            key={place}
            offer={offer}
            type={type}
            place={place}
            isOpen={open === place}
            toggle={() => setOpen(open === place ? undefined : place)}
            change={(part) => set({ offers: offers.with(place, { ...offer, ...part }) })}
            remove={() => {
              setOpen(undefined)
              set({ offers: offers.toSpliced(place, 1) })
            }}
            errorAt={errorAt}
          />
        ))}
      </ul>
      {mayAdd && (
        <div className="card-body">
          <Button
            icon="plus"
            onClick={() => {
              set({ offers: [...offers, { license_id: null, price_id: null, amounts: nothingTyped }] })
              setOpen(offers.length)
            }}
          >
            {t('offers.add')}
          </Button>
        </div>
      )}
    </Card>
  )
}

type OfferRowProps = {
  offer: Offer
  type: number
  place: number
  isOpen: boolean
  toggle: () => void
  change: (part: Partial<Offer>) => void
  remove: () => void
  errorAt: ErrorAt
}

/** An offer in words, with its fields below it while it is being changed. */
function OfferRow({ offer, type, place, isOpen, toggle, change, remove, errorAt }: OfferRowProps) {
  const licenses = useQuery(licensesQuery).data
  const license = licenses?.find(({ id }) => id === offer.license_id)
  const price = useQuery(pricesQuery).data?.get(offer.price_id ?? 0)
  const terms = useQuery(termsQuery(license, type, document.documentElement.lang)).data
  const priceText = offer.amounts === undefined ? price && amountsOf(price) : amountsText(offer.amounts)
  const { hasLicenses } = partsOf(type)
  const name = hasLicenses ? (nameIn(licenses, offer.license_id) ?? t('offers.no_license')) : t('offers.buy')
  const wrong = ['license_id', 'price_id', 'compare_price_id'].map((field) =>
    errorAt(`price_license_binding[${place}].${field}`),
  )
  return (
    <li>
      <span className="grow">
        <span className="strong">{name}</span>
        {terms !== undefined && license !== undefined && <span className="muted small offer-terms">{terms.text}</span>}
        {!isOpen && wrong.find(Boolean) !== undefined && <span className="hint wrong">{wrong.find(Boolean)}</span>}
      </span>
      <span className="strong figure">{priceText || t('offers.no_price')}</span>
      <Button
        look="plain"
        aria-expanded={isOpen}
        aria-label={isOpen ? undefined : t('offers.change_of', { name })}
        onClick={toggle}
      >
        {isOpen ? t('common.close') : t('offers.change')}
      </Button>
      <Button look="danger" aria-label={t('offers.remove_of', { name })} onClick={remove}>
        {t('offers.remove')}
      </Button>
      {isOpen && <OfferFields offer={offer} type={type} change={change} price={price} wrong={wrong} />}
    </li>
  )
}

type OfferFieldsProps = {
  offer: Offer
  type: number
  price: Price | undefined
  change: (part: Partial<Offer>) => void
  wrong: readonly (string | undefined)[]
}

function OfferFields({
  offer,
  type,
  price,
  change,
  wrong: [wrongLicense, wrongPrice, wrongCompared],
}: OfferFieldsProps) {
  const licenses = useQuery(licensesQuery).data ?? []
  const prices = [...(useQuery(pricesQuery).data?.values() ?? [])].filter(isUsable)
  const usable = prices.map((each) => ({ id: each.id, name: nameOfPrice(each) }))
  const typed = useTyped(price)
  const [isMaking, setIsMaking] = useState(false)
  const { hasLicenses, hasVersions, isHd, hasUsers } = partsOf(type)
  return (
    <div className="offer-fields">
      {hasLicenses && (
        <Choice
          label={t('offers.license')}
          value={offer.license_id ?? null}
          choices={licenses.filter(isUsable).map((each) => ({ id: each.id, name: licenseName(each) }))}
          error={wrongLicense}
          onValue={(license_id) => change({ license_id })}
        />
      )}
      {offer.amounts === undefined ? (
        <Choice
          label={t('offers.price')}
          value={offer.price_id ?? null}
          choices={usable}
          error={wrongPrice}
          onValue={(price_id) => change({ price_id })}
        />
      ) : (
        <PriceFields amounts={offer.amounts} onAmounts={(amounts) => change({ amounts })} error={wrongPrice} />
      )}
      <Choice
        label={t('offers.compare_price')}
        none={t('offers.no_compare_price')}
        value={offer.compare_price_id ?? null}
        choices={usable}
        error={wrongCompared}
        onValue={(compare_price_id) => change({ compare_price_id })}
      />
      {hasVersions && (
        <SelectField
          label={t('offers.version')}
          value={(offer.hd ?? isHd) ? 'hd' : 'sd'}
          onValue={(version) => change({ hd: version === 'hd' })}
          options={(['hd', 'sd'] as const).map((value) => ({ value, title: t(`offers.versions.${value}`) }))}
        />
      )}
      {hasUsers && (
        <TextField
          label={t('offers.users')}
          hint={t('offers.users_hint')}
          inputMode="numeric"
          maxLength={6}
          value={String(offer.num_users || 1)}
          onValue={(typed) => change({ num_users: Math.max(1, Number(typed.replace(/\D/g, ''))) })}
        />
      )}
      <div className="actions">
        {hasLicenses && <Button onClick={() => setIsMaking(true)}>{t('offers.new_license')}</Button>}
        {offer.amounts === undefined && (
          <Button onClick={() => change({ amounts: typed })}>{t('offers.new_price')}</Button>
        )}
        {offer.amounts !== undefined && usable.length > 0 && (
          <Button onClick={() => change({ amounts: undefined })}>{t('offers.choose_price')}</Button>
        )}
      </div>
      {isMaking && (
        <NewLicense productType={type} made={(license_id) => change({ license_id })} close={() => setIsMaking(false)} />
      )}
    </div>
  )
}

const isUsable = ({ valid }: Pick<License | Price, 'valid'>) => valid === 1

type ChoiceProps = {
  label: string
  /** What it means to choose none. */
  none?: string
  value: number | null
  choices: readonly { id: number; name: string }[]
  error: string | undefined
  onValue: (id: number | null) => void
}

function Choice({ label, none = t('offers.choose'), value, choices, error, onValue }: ChoiceProps) {
  return (
    <Field label={label} error={error}>
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          value={value ?? ''}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={(event) => onValue(event.target.value === '' ? null : Number(event.target.value))}
        >
          <option value="">{none}</option>
          {choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
