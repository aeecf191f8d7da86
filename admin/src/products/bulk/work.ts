import { api } from '../../api.ts'
import type { Work } from '../../ui/lists/bulk.ts'
import { problemText } from '../../ui/problem.tsx'
import { t } from '../../words/words.ts'
import type { ProductInput } from '../draft.ts'
import type { Product } from '../queries.ts'
import { partsOf } from '../types.ts'

/** What a product gets, or why it cannot have that. */
type Wanted = { changes: ProductInput } | { refusal: string }

/** Changes one product, unless somebody has changed it since it was listed. */
const changeWork =
  (wantedOf: (product: Product) => Wanted): Work<Product> =>
  async (listed) => {
    let etag = ''
    const onHeaders = (headers: Headers) => {
      etag = headers.get('etag') ?? ''
    }
    try {
      const product = await api.products.get(listed.id, {}, { onHeaders })
      if (product.updated_at !== listed.updated_at) return t('products.bulk.changed')
      const wanted = wantedOf(product)
      if ('refusal' in wanted) return wanted.refusal
      await api.products.update(product.id, wanted.changes, { ifMatch: etag })
      return undefined
    } catch (error) {
      return problemText(error)
    }
  }

export const publishWork = (published: boolean) => changeWork(() => ({ changes: { published } }))

/** Puts products into one more category. */
export const categoryWork = (category_id: number) =>
  changeWork(({ categories }) => ({
    changes: { categories: [...categories.map((entry) => ({ category_id: entry.category_id })), { category_id }] },
  }))

/** Sells products for another price. One with several offers has several prices, and nobody has said which is meant. */
export const priceWork = (price_id: number) =>
  changeWork(({ product_type, price_license_binding: offers }) => {
    const [offer, second] = offers
    if (second !== undefined) return { refusal: t('products.bulk.several_offers') }
    if (offer === undefined && partsOf(product_type).hasLicenses) return { refusal: t('products.bulk.no_license') }
    return { changes: { price_license_binding: [{ ...offer, price_id }] } }
  })
