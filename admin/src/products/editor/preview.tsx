import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { licenseName } from '../../licenses/names.ts'
import { Card } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { languageName, money } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { Draft, Offer } from '../draft.ts'
import { Picture } from '../pictures.tsx'
import { amountsText } from '../price-models.ts'
import { licensesQuery, type Product, pricesQuery } from '../queries.ts'
import { termsQuery } from './terms.ts'
import { mainLanguage } from './texts.tsx'

/** The product as the shop shows it, in one of its languages. */
export function Preview({ product, draft }: { product: Product; draft: Draft }) {
  const languages = draft.texts.map(({ language_id }) => language_id)
  const main = mainLanguage(draft.texts) ?? 'en'
  const [chosen, setChosen] = useState(main)
  const language = languages.includes(chosen) ? chosen : main
  const text = draft.texts.find(({ language_id }) => language_id === language)
  const facts = [
    t(`products.types.${product.product_type}` as 'products.types.1'),
    draft.runtimeMinutes === '' ? '' : t('products.minutes', { minutes: Number(draft.runtimeMinutes) }),
    draft.year,
  ]
  return (
    <Card
      title={t('products.preview')}
      end={
        languages.length > 1 && (
          <Segments
            label={t('products.preview_language')}
            values={languages.map((value) => ({ value, title: languageName(value) }))}
            chosen={language}
            choose={setChosen}
          />
        )
      }
    >
      <div className="card-body">
        <div className="shop-card">
          <Picture src={draft.pictures[0]?.src} isLarge />
          <div className="shop-card-text">
            <p className="strong">{text?.title || draft.title}</p>
            <p className="muted small">{facts.filter(Boolean).join(', ')}</p>
            {draft.offers.map((offer, place) => (
              <OfferLine
                key={offer.id ?? `new ${place}`}
                offer={offer}
                productType={product.product_type}
                language={language}
              />
            ))}
          </div>
        </div>
      </div>
    </Card>
  )
}

type OfferLineProps = { offer: Offer; productType: number; language: string }

function OfferLine({ offer, productType, language }: OfferLineProps) {
  const license = useQuery(licensesQuery).data?.find(({ id }) => id === offer.license_id)
  const price = useQuery(pricesQuery).data?.get(offer.price_id ?? 0)
  const terms = useQuery(termsQuery(license, productType, language)).data
  const [first] = price?.currencies ?? []
  const typed = offer.amounts?.slice(0, 1)
  const priceText = typed === undefined ? first && money(first.price, first.currency.toUpperCase()) : amountsText(typed)
  if (!priceText) return null
  return (
    <div className="shop-offer">
      <span className="grow strong">{license === undefined ? t('offers.buy') : licenseName(license, language)}</span>
      <span className="strong figure">{priceText}</span>
      {terms !== undefined && <span className="muted small">{terms.sentences.slice(0, 2).join(' ')}</span>}
    </div>
  )
}
