import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import type { ErrorAt } from '../../ui/editing.tsx'
import { Card } from '../../ui/page.tsx'
import { firstPage } from '../../ui/pages.ts'
import { t } from '../../words/words.ts'
import { Picture } from '../pictures.tsx'
import type { Product } from '../queries.ts'
import { partsOf } from '../types.ts'

type PartsProps = { included: readonly string[]; onIncluded: (included: string[]) => void; errorAt: ErrorAt }
type Part = Pick<Product, 'product_id' | 'title' | 'product_type' | 'preview_pictures'>

const FIELDS = 'product_id,title,product_type,preview_pictures'
const FOUND_MAX = 8

/** The products of a collection, by their `product_id`. */
function partsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['products', 'parts', ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<string, Part>()
      for await (const part of api.products.list({ ids: ids.join(), fields: FIELDS }, { signal }))
        found.set(part.product_id, part)
      return found
    },
  })
}

function foundQuery(q: string) {
  return queryOptions({
    queryKey: ['products', 'to include', q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => firstPage(api.products.list({ q, fields: FIELDS, limit: FOUND_MAX }, { signal })),
  })
}

/** Goods are sent on their own, and a collection holds no collection. */
const mayBePart = ({ product_type }: Part) => partsOf(product_type).hasLicenses && !partsOf(product_type).isCollection

/** What a collection includes, in its order. */
export function Parts({ included, onIncluded, errorAt }: PartsProps) {
  const [words, setWords] = useState('')
  const parts = useQuery(partsQuery(included)).data ?? new Map<string, Part>()
  const found = useQuery(foundQuery(useDeferredValue(words.trim()))).data ?? []
  const shown =
    words.trim() === '' ? [] : found.filter((part) => mayBePart(part) && !included.includes(part.product_id))
  const move = (from: number, to: number) => {
    const id = included[from]
    if (id !== undefined) onIncluded(included.toSpliced(from, 1).toSpliced(to, 0, id))
  }
  return (
    <Card title={t('products.parts')} aside={t('products.parts_about', { count: included.length })}>
      <ol className="rows">
        {included.map((id, place) => {
          const title = parts.get(id)?.title ?? id
          const error = errorAt(`included_products[${place}].product_id`)
          return (
            <li key={id}>
              <Picture src={parts.get(id)?.preview_pictures[0]?.src} />
              <span className="grow cut">
                {title}
                {error !== undefined && <span className="hint wrong">{error}</span>}
              </span>
              <Button
                look="plain"
                icon="up"
                disabled={place === 0}
                aria-label={t('products.part_up', { title })}
                onClick={() => move(place, place - 1)}
              />
              <Button
                look="plain"
                icon="down"
                disabled={place === included.length - 1}
                aria-label={t('products.part_down', { title })}
                onClick={() => move(place, place + 1)}
              />
              <Button
                look="plain"
                icon="close"
                aria-label={t('products.part_remove', { title })}
                onClick={() => onIncluded(included.toSpliced(place, 1))}
              />
            </li>
          )
        })}
      </ol>
      <div className="card-body stack">
        <input
          className="input"
          type="search"
          aria-label={t('products.part_find')}
          placeholder={t('products.part_find')}
          value={words}
          maxLength={100}
          onChange={({ target }) => setWords(target.value)}
          // Enter would save the product.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {shown.length > 0 && (
          <ul className="rows">
            {shown.map((part) => (
              <li key={part.product_id}>
                <Picture src={part.preview_pictures[0]?.src} />
                <span className="grow cut">{part.title}</span>
                <Button
                  icon="plus"
                  aria-label={t('products.part_add', { title: part.title })}
                  onClick={() => {
                    onIncluded([...included, part.product_id])
                    setWords('')
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
