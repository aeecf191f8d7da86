import { useQuery } from '@tanstack/react-query'
import { Check } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import { type Category, categoriesQuery } from './queries.ts'

type ShelvesProps = { chosen: readonly number[]; onChosen: (categories: number[]) => void }

/** Categories in the order of their tree, with how deep each lies. */
function inTree(categories: readonly Category[], parent = 0, depth = 0): { category: Category; depth: number }[] {
  return categories
    .filter(({ parent_id }) => parent_id === parent)
    .sort((one, other) => one.position - other.position)
    .flatMap((category) => [{ category, depth }, ...inTree(categories, category.id, depth + 1)])
}

/** In which categories of the shop the product is. Long lists scroll. */
export function Shelves({ chosen, onChosen }: ShelvesProps) {
  const categories = useQuery(categoriesQuery).data
  return (
    <fieldset>
      <legend className="muted small">{t('products.categories')}</legend>
      {categories?.length === 0 && <p className="muted">{t('products.no_categories')}</p>}
      <div className="shelves">
        {inTree(categories ?? []).map(({ category: { id, title }, depth }) => (
          <div key={id} style={{ paddingLeft: depth * 16 }}>
            <Check
              label={title}
              isOn={chosen.includes(id)}
              onChange={(isOn) => onChosen(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))}
            />
          </div>
        ))}
      </div>
    </fieldset>
  )
}
