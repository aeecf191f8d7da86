import { Button } from '../../ui/button.tsx'
import type { Bulk, Ticked, Work } from '../../ui/lists/bulk.ts'
import { BulkBar } from '../../ui/lists/bulk-bar.tsx'
import { toast } from '../../ui/toasts.tsx'
import { t } from '../../words/words.ts'
import type { Product } from '../queries.ts'
import { BulkChoices } from './choices.tsx'
import { publishWork } from './work.ts'

/** What can be done with the products that are ticked. */
export function ProductsBulkBar({
  work,
  ticked,
  shown,
}: {
  work: Bulk<Product>
  ticked: Ticked<Product>
  shown: number
}) {
  const { chosen } = ticked
  const change = async (published: boolean) => {
    const toChange = chosen.filter((product) => product.published !== published)
    const changed = await work.run(toChange, publishWork(published))
    toast(t(published ? 'products.bulk.published' : 'products.bulk.hidden', { count: changed }))
    ticked.none()
  }
  const changeOtherwise = async (products: readonly Product[], each: Work<Product>) => {
    toast(t('products.bulk.done', { count: await work.run(products, each) }))
    ticked.none()
  }
  return (
    <BulkBar
      label={t('products.bulk.label')}
      work={work}
      ticked={ticked}
      said={t('products.bulk.chosen', { count: chosen.length })}
      shown={shown}
    >
      <BulkChoices chosen={chosen} change={(products, each) => void changeOtherwise(products, each)} />
      <Button onClick={() => void change(false)}>{t('products.hide')}</Button>
      <Button look="primary" onClick={() => void change(true)}>
        {t('products.publish')}
      </Button>
    </BulkBar>
  )
}
