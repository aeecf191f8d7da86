import { useQuery } from '@tanstack/react-query'
import type { ErrorAt } from '../../ui/forms/editing.tsx'
import { Card } from '../../ui/page.tsx'
import { list } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { ChosenProducts, chosenQuery } from '../picker.tsx'
import type { Product } from '../queries.ts'
import { StateChip } from '../state.tsx'
import { partsOf } from '../types.ts'
import { lacksContent } from './checklist.ts'

type PartsProps = { included: readonly string[]; onIncluded: (included: string[]) => void; errorAt: ErrorAt }

/** Goods are sent on their own, and a collection holds no collection. */
const mayBePart = ({ product_type }: Product) =>
  partsOf(product_type).hasLicenses && !partsOf(product_type).isCollection

/** What a collection includes, in its order, and whether buyers get all of it. */
export function Parts({ included, onIncluded, errorAt }: PartsProps) {
  return (
    <Card title={t('products.parts')} aside={t('products.parts_about', { count: included.length })}>
      <div className="card-body stack">
        <Missing included={included} />
        <ChosenProducts
          label={t('products.parts')}
          addLabel={t('products.part_find')}
          ids={included}
          idOf={({ product_id }) => product_id}
          onIds={onIncluded}
          isOffered={mayBePart}
          errorOf={(place) => errorAt(`included_products[${place}].product_id`)}
          besideOf={(product) => <StateChip product={product} />}
        />
        {included.length > 0 && <p className="hint">{t('products.parts_hint')}</p>}
      </div>
    </Card>
  )
}

/** The parts that buyers of the collection would pay for and not get. */
function Missing({ included }: { included: readonly string[] }) {
  const { data, isPlaceholderData } = useQuery(chosenQuery(included))
  if (data === undefined || isPlaceholderData) return null
  const gone = included.filter((id) => !data.has(id))
  const empty = included.flatMap((id) => data.get(id) ?? []).filter(lacksContent)
  return (
    <>
      {empty.length > 0 && (
        <p className="notice bad">
          {t('products.parts_empty', { count: empty.length, titles: list(empty.map(({ title }) => title)) })}
        </p>
      )}
      {gone.length > 0 && <p className="notice bad">{t('products.parts_gone', { count: gone.length })}</p>}
    </>
  )
}
