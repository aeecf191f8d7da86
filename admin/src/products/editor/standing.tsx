import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { shopsQuery } from '../../shop/queries.ts'
import { CopyButton } from '../../ui/copy.tsx'
import type { ErrorAt } from '../../ui/forms/editing.tsx'
import { Card } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import type { Draft } from '../draft.ts'
import { collectionsQuery, type Product } from '../queries.ts'
import { Shelves } from '../shelves.tsx'
import { Groups } from './groups.tsx'
import { Themes } from './themes.tsx'

type StandingProps = {
  product: Product
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
}

/** Where people find the product: its categories, its shops, the collections that it is part of, and its address. */
export function Standing({ product, draft, set, errorAt }: StandingProps) {
  const [shop] = useQuery(shopsQuery).data ?? []
  const collections = useQuery(collectionsQuery).data ?? []
  const partOf = collections.filter(({ included_products }) =>
    included_products.some(({ product_id }) => product_id === product.product_id),
  )
  const address = shop === undefined ? undefined : new URL(shopPath(shop.id, product.id), location.origin).href
  const wrong = product.groups.map((_, place) => errorAt(`groups[${place}].group_id`)).find(Boolean)
  const wrongTheme = draft.themes.map((_, place) => errorAt(`themes[${place}].theme_id`)).find(Boolean)
  return (
    <Card title={t('products.standing')}>
      <div className="card-body stack">
        <Shelves chosen={draft.categories} onChosen={(categories) => set({ categories })} />
        <Themes chosen={draft.themes} onChosen={(themes) => set({ themes })} error={wrongTheme ?? errorAt('themes')} />
        {partOf.length > 0 && (
          <div>
            <p className="muted small">{t('products.part_of')}</p>
            {partOf.map(({ id, title }) => (
              <p key={id}>
                <Link to="/products/$id" params={{ id: String(id) }}>
                  {title}
                </Link>
              </p>
            ))}
          </div>
        )}
        {address !== undefined && (
          <div>
            <p className="muted small">{t('products.address')}</p>
            <div className="copied">
              <code className="grow cut">{address.replace(/^https?:\/\//, '')}</code>
              <CopyButton text={address} label={t('products.copy_address')} />
            </div>
          </div>
        )}
        <Groups typed={draft.groups} onTyped={(groups) => set({ groups })} error={wrong ?? errorAt('groups')} />
      </div>
    </Card>
  )
}

/** The page of a product in a shop, on the service's own host: the address alone is enough. */
export const shopPath = (shopId: number, productId: number) => `/shop/${shopId}/products/${productId}`
