import type { ErrorAt } from '../../ui/forms/editing.tsx'
import { Card } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { ChosenProducts } from '../picker.tsx'
import type { Product } from '../queries.ts'
import { partsOf } from '../types.ts'

type PartsProps = { included: readonly string[]; onIncluded: (included: string[]) => void; errorAt: ErrorAt }

/** Goods are sent on their own, and a collection holds no collection. */
const mayBePart = ({ product_type }: Product) =>
  partsOf(product_type).hasLicenses && !partsOf(product_type).isCollection

/** What a collection includes, in its order. */
export function Parts({ included, onIncluded, errorAt }: PartsProps) {
  return (
    <Card title={t('products.parts')} aside={t('products.parts_about', { count: included.length })}>
      <div className="card-body stack">
        <ChosenProducts
          label={t('products.parts')}
          addLabel={t('products.part_find')}
          ids={included}
          idOf={({ product_id }) => product_id}
          onIds={onIncluded}
          isOffered={mayBePart}
          errorOf={(place) => errorAt(`included_products[${place}].product_id`)}
        />
      </div>
    </Card>
  )
}
