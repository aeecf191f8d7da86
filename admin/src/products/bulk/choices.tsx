import { useQuery } from '@tanstack/react-query'
import type { Work } from '../../ui/lists/bulk.ts'
import { money } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { categoriesQuery, type Product, pricesQuery } from '../queries.ts'
import { categoryWork, priceWork } from './work.ts'

type BulkChoicesProps = {
  chosen: readonly Product[]
  change: (products: readonly Product[], work: Work<Product>) => void
}

const isIn = (categoryId: number) => (product: Product) =>
  product.categories.some(({ category_id }) => category_id === categoryId)

/** Puts the products that are ticked into a category, or gives them a price. */
export function BulkChoices({ chosen, change }: BulkChoicesProps) {
  const categories = useQuery(categoriesQuery).data ?? []
  const prices = [...(useQuery(pricesQuery).data?.values() ?? [])].filter(({ valid }) => valid === 1)
  return (
    <>
      {categories.length > 0 && (
        <Choice
          label={t('products.bulk.category')}
          choices={categories.map(({ id, title }) => ({ id, title }))}
          choose={(id) =>
            change(
              chosen.filter((product) => !isIn(id)(product)),
              categoryWork(id),
            )
          }
        />
      )}
      {prices.length > 0 && (
        <Choice
          label={t('products.bulk.price')}
          choices={prices.map(({ id, title, currencies: [first] }) => ({
            id,
            title: first === undefined ? title : money(first.price, first.currency.toUpperCase()),
          }))}
          choose={(id) => change(chosen, priceWork(id))}
        />
      )}
    </>
  )
}

type ChoiceProps = {
  label: string
  choices: readonly { id: number; title: string }[]
  choose: (id: number) => void
}

/** A list that does something as soon as something is chosen in it. */
function Choice({ label, choices, choose }: ChoiceProps) {
  return (
    <select
      className="input bulk-choice"
      aria-label={label}
      value=""
      onChange={({ target }) => choose(Number(target.value))}
    >
      <option value="">{label}</option>
      {choices.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  )
}
