import { Button } from '../ui/button.tsx'
import type { Ticked } from '../ui/lists/bulk.ts'
import type { Column } from '../ui/lists/list.tsx'
import { RowLink } from '../ui/lists/row-link.tsx'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Picture } from './pictures.tsx'
import type { Price, Product } from './queries.ts'
import { StateChip } from './state.tsx'

/** What somebody who may change products does in the list. */
type Changes = {
  setPublished: (product: Product, published: boolean) => void
  ticked: Pick<Ticked<Product>, 'isTicked' | 'tick'>
}

/** The columns of the list of products. Only those of the company itself can be ticked and changed. */
export function columnsWith(prices: ReadonlyMap<number, Price>, changes: Changes | undefined): Column<Product>[] {
  return [
    {
      title: t('products.columns.product'),
      place: 'first',
      width: 'wide',
      cell: ({ id, title, mirrored, preview_pictures }) => (
        <span className="with-picture">
          {changes !== undefined && (
            <input
              type="checkbox"
              className="tick-box"
              aria-label={t('products.bulk.choose', { title })}
              disabled={mirrored}
              checked={changes.ticked.isTicked(id)}
              onChange={() => changes.ticked.tick(id)}
            />
          )}
          <Picture src={preview_pictures[0]?.src} />
          <RowLink className="strong cut" to="/products/$id" id={id}>
            {title}
          </RowLink>
        </span>
      ),
    },
    {
      title: t('products.columns.type'),
      place: 'second',
      look: 'muted',
      cell: ({ product_type }) => t(`products.types.${product_type}` as 'products.types.1'),
    },
    {
      title: t('products.columns.state'),
      place: 'second-end',
      width: 'narrow',
      cell: (product) => <StateChip product={product} />,
    },
    {
      title: t('products.columns.price'),
      place: 'first-end',
      isNumber: true,
      cell: (product) => priceFrom(product, prices),
    },
    {
      title: t('products.columns.changed'),
      width: 'narrow',
      look: 'muted figure',
      cell: ({ updated_at }) => shortTime(updated_at),
    },
    {
      title: t('products.columns.action'),
      width: 'narrow',
      cell: (product) =>
        product.mirrored || changes === undefined ? null : (
          <Button look="plain" onClick={() => changes.setPublished(product, !product.published)}>
            {product.published ? t('products.hide') : t('products.publish')}
          </Button>
        ),
    },
  ]
}

/** The lowest price, in the first currency of its model. */
function priceFrom({ price_license_binding: offers }: Product, prices: ReadonlyMap<number, Price>): string {
  const found = offers.flatMap(({ price_id }) => prices.get(price_id ?? 0)?.currencies.slice(0, 1) ?? [])
  const [lowest] = found.toSorted((one, other) => one.price - other.price)
  if (lowest === undefined) return ''
  const text = money(lowest.price, lowest.currency.toUpperCase())
  return found.length > 1 ? t('products.from', { price: text }) : text
}
