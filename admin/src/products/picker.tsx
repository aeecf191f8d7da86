import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Picker } from '../ui/forms/picker.tsx'
import { Sortable } from '../ui/forms/sortable.tsx'
import { firstPage } from '../ui/lists/pages.ts'
import { t } from '../words/words.ts'
import { Picture } from './pictures.tsx'
import type { Product } from './queries.ts'

const FOUND_MAX = 8

function useFound(q: string, isOpen: boolean) {
  return useQuery({
    queryKey: ['products', 'found', q],
    queryFn: ({ signal }) =>
      firstPage(api.products.list({ limit: FOUND_MAX, sort: '-id', ...(q === '' ? {} : { q }) }, { signal })),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
}

type ProductPickerProps = {
  label: string
  choose: (product: Product) => void
  /** Leaves out what cannot be chosen here. */
  isOffered?: (product: Product) => boolean
  error?: string | undefined
}

/** Finds a product by words of its title. The newest are offered at once. */
export function ProductPicker({ label, choose, isOffered, error }: ProductPickerProps) {
  return (
    <Picker
      label={label}
      placeholder={t('picker.product')}
      foundLabel={t('picker.products')}
      none={t('picker.no_product')}
      useFound={useFound}
      isOffered={isOffered}
      rowOf={({ id, title, preview_pictures }) => ({
        key: id,
        content: (
          <>
            <Picture src={preview_pictures[0]?.src} />
            <span className="cut">{title}</span>
          </>
        ),
      })}
      choose={choose}
      error={error}
    />
  )
}

/** What is shown of a chosen product, and what says whether it can be bought. */
const CHOSEN = [
  'id',
  'product_id',
  'title',
  'preview_pictures',
  'product_type',
  'published',
  'published_at',
  'pre_sales',
  'valid',
  'mirrored',
  'content_files',
  'price_license_binding',
].join()

/** Products by their ids, or by their `product_id`s. */
export function chosenQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['products', 'chosen', ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<string, Product>()
      const query = { ids: ids.join(), fields: CHOSEN }
      for await (const product of api.products.list(query, { signal }))
        found.set(String(product.id), product).set(product.product_id, product)
      return found
    },
  })
}

type ChosenProductsProps = {
  label: string
  /** What the field is called that adds one; without it, there is none. */
  addLabel: string | undefined
  /** In their order. One that is deleted is shown by its id. */
  ids: readonly string[]
  idOf: (product: Product) => string
  onIds: (ids: string[]) => void
  isOffered?: (product: Product) => boolean
  errorOf?: (place: number) => string | undefined
  /** Beside one that is there: how it stands. */
  besideOf?: (product: Product) => ReactNode
  error?: string | undefined
}

/** Some products in an order, with a field that adds another. */
export function ChosenProducts(props: ChosenProductsProps) {
  const { label, addLabel, ids, idOf, onIds, isOffered = () => true, errorOf, besideOf, error } = props
  const chosen = useQuery(chosenQuery(ids)).data
  const titleOf = (id: string) => chosen?.get(id)?.title ?? `#${id}`
  return (
    <>
      {ids.length > 0 && (
        <Sortable label={label} items={ids} onItems={onIds} nameOf={titleOf}>
          {(id, place) => (
            <>
              <Picture src={chosen?.get(id)?.preview_pictures[0]?.src} />
              <span className="grow cut">
                {titleOf(id)}
                {errorOf?.(place) !== undefined && <span className="hint wrong block">{errorOf(place)}</span>}
              </span>
              <Beside product={chosen?.get(id)} besideOf={besideOf} />
              <Button
                look="plain"
                icon="close"
                aria-label={t('shop_home.remove', { name: titleOf(id) })}
                onClick={() => onIds(ids.toSpliced(place, 1))}
              />
            </>
          )}
        </Sortable>
      )}
      {addLabel !== undefined && (
        <ProductPicker
          label={addLabel}
          choose={(product) => onIds([...ids, idOf(product)])}
          isOffered={(product) => isOffered(product) && !ids.includes(idOf(product))}
          error={error}
        />
      )}
    </>
  )
}

type BesideProps = { product: Product | undefined; besideOf: ChosenProductsProps['besideOf'] | undefined }

function Beside({ product, besideOf }: BesideProps) {
  return product === undefined ? null : besideOf?.(product)
}
