import { useQuery } from '@tanstack/react-query'
import { nameIn } from '../licenses/names.ts'
import { SelectField } from '../ui/forms/fields.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { licensesQuery, type Product, pricesQuery } from './queries.ts'

type OfferSelectProps = {
  product: Product
  /** The place of the offer among those of the product. */
  place: number
  choose: (place: number) => void
  error?: string | undefined
}

/** One of the offers of a product: its license, and what it costs. */
export function OfferSelect({ product, place, choose, error }: OfferSelectProps) {
  const licenses = useQuery(licensesQuery).data ?? []
  const prices = useQuery(pricesQuery).data
  const titleOf = ({ license_id, price_id, hd, num_users }: Product['price_license_binding'][number]) =>
    [
      nameIn(licenses, license_id) ?? t('picker.no_license'),
      hd === true ? t('picker.hd') : '',
      num_users == null ? '' : t('picker.users', { count: num_users }),
      prices
        ?.get(price_id ?? 0)
        ?.currencies.slice(0, 1)
        .map(({ price, currency }) => money(price, currency.toUpperCase()))
        .join(),
    ]
      .filter(Boolean)
      .join(', ')
  return (
    <SelectField
      label={t('picker.offer')}
      value={String(place)}
      options={product.price_license_binding.map((offer, each) => ({ value: String(each), title: titleOf(offer) }))}
      onValue={(value) => choose(Number(value))}
      error={error}
    />
  )
}

/** A line of an order that asks for an offer of a product. */
export function lineOf(product: Product, place: number, quantity: number) {
  const offer = product.price_license_binding[place]
  return {
    product_id: product.product_id,
    quantity,
    ...(offer?.license_id == null ? {} : { license_id: offer.license_id }),
    ...(offer?.hd == null ? {} : { hd: offer.hd }),
    ...(offer?.audio_type == null ? {} : { audio_type: offer.audio_type }),
    ...(offer?.num_users == null ? {} : { num_users: offer.num_users }),
  }
}
