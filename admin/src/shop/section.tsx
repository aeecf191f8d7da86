import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ProductPicker } from '../products/picker.tsx'
import { Picture } from '../products/pictures.tsx'
import type { Product } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Sortable } from '../ui/sortable.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Section } from './queries.ts'
import { titleIn, withTitle } from './titles.ts'

const PRODUCTS_MAX = 24

type Chosen = Pick<Product, 'id' | 'title' | 'preview_pictures'>

/** The products of a section. */
function chosenQuery(ids: readonly number[]) {
  return queryOptions({
    queryKey: ['products', 'chosen', ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const read = ids.map((id) => api.products.get(id, { fields: 'id,title,preview_pictures' }, { signal }))
      // One that is deleted is shown by its number.
      const found = await Promise.allSettled(read)
      return new Map<number, Chosen>(
        found.flatMap((each) => (each.status === 'fulfilled' ? [[each.value.id, each.value] as const] : [])),
      )
    },
  })
}

type EditProps = {
  section: Section
  language: string
  error: string | undefined
  onSection: (section: Section) => void
}

/** The title of a section, and the products that it shows. */
export function EditSection({ section, language, error, onSection }: EditProps) {
  const { kind, locales, product_ids } = section
  const chosen = useQuery(chosenQuery(product_ids)).data
  const titleOf = (id: number) => chosen?.get(id)?.title ?? `#${id}`
  const isFull = product_ids.length >= (kind === 'hero' ? 1 : PRODUCTS_MAX)
  return (
    <div className="stack section-edit">
      {kind !== 'hero' && (
        <TextField
          label={t('shop_home.title', { language: languageName(language) })}
          hint={t(kind === 'category' ? 'shop_home.category_title_hint' : 'shop_home.title_hint')}
          value={titleIn(locales, language)}
          onValue={(title) => onSection({ ...section, locales: withTitle(locales, language, title) })}
          error={undefined}
        />
      )}
      {(kind === 'hero' || kind === 'products') && (
        <>
          {product_ids.length > 0 && (
            <Sortable
              label={t('shop_home.chosen')}
              items={product_ids}
              onItems={(ids) => onSection({ ...section, product_ids: ids })}
              nameOf={titleOf}
            >
              {(id, place) => (
                <>
                  <Picture src={chosen?.get(id)?.preview_pictures[0]?.src} />
                  <span className="grow cut">{titleOf(id)}</span>
                  <Button
                    look="plain"
                    icon="close"
                    aria-label={t('shop_home.remove', { name: titleOf(id) })}
                    onClick={() => onSection({ ...section, product_ids: product_ids.toSpliced(place, 1) })}
                  />
                </>
              )}
            </Sortable>
          )}
          {kind === 'hero' && product_ids.length === 0 && <p className="muted">{t('shop_home.newest_hero')}</p>}
          {!isFull && (
            <ProductPicker
              label={t('shop_home.choose')}
              choose={({ id }) => onSection({ ...section, product_ids: [...new Set([...product_ids, id])] })}
              error={error}
            />
          )}
        </>
      )}
    </div>
  )
}
