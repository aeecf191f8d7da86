import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { ProductPicker } from '../products/picker.tsx'
import { Picture } from '../products/pictures.tsx'
import type { Product } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { Sortable } from '../ui/forms/sortable.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'

/** So many are put in order here. The rest of a large category stays as it is, behind them. */
const SHOWN = 100

type Shown = Pick<Product, 'id' | 'product_id' | 'title' | 'preview_pictures' | 'published'>

function shownQuery(ids: readonly string[]) {
  const sorted = [...ids].sort()
  return queryOptions({
    queryKey: ['products', 'of category', sorted],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<string, Shown>()
      const query = { ids: sorted.join(), fields: 'id,product_id,title,preview_pictures,published' }
      for await (const product of api.products.list(query, { signal })) found.set(product.product_id, product)
      return found
    },
  })
}

type ProductsProps = { products: readonly string[]; onProducts: (products: string[]) => void; errorAt: ErrorAt }

/** The products of the category, in the order in which its page shows them. */
export function Products({ products, onProducts, errorAt }: ProductsProps) {
  const shown = products.slice(0, SHOWN)
  const rest = products.slice(SHOWN)
  const known = useQuery(shownQuery(shown)).data ?? new Map<string, Shown>()
  const nameOf = (id: string) => known.get(id)?.title ?? id
  return (
    <Card
      title={t('menu.products')}
      aside={products.length === 0 ? undefined : t('categories.products_count', { count: products.length })}
    >
      {products.length === 0 ? (
        <p className="card-body muted">{t('categories.no_products')}</p>
      ) : (
        <Sortable
          label={t('menu.products')}
          items={shown}
          onItems={(items) => onProducts([...items, ...rest])}
          nameOf={nameOf}
        >
          {(id, place) => {
            const product = known.get(id)
            const error = errorAt(`entries[${place}].product_id`)
            return (
              <>
                <Picture src={product?.preview_pictures[0]?.src} />
                <span className="grow cut">
                  {product === undefined ? (
                    id
                  ) : (
                    <Link to="/products/$id" params={{ id: String(product.id) }}>
                      {product.title}
                    </Link>
                  )}
                  {product?.published === false && <span className="muted small"> {t('categories.not_shown')}</span>}
                  {error !== undefined && <span className="hint wrong">{error}</span>}
                </span>
                <Button
                  look="plain"
                  icon="close"
                  aria-label={t('categories.take_out', { title: nameOf(id) })}
                  onClick={() => onProducts(products.filter((each) => each !== id))}
                />
              </>
            )
          }}
        </Sortable>
      )}
      {rest.length > 0 && <p className="card-body muted">{t('categories.rest', { count: rest.length })}</p>}
      <div className="card-body">
        <ProductPicker
          label={t('categories.add_product')}
          choose={({ product_id }) => !products.includes(product_id) && onProducts([...products, product_id])}
        />
      </div>
    </Card>
  )
}
