import { api } from '../api.ts'
import type { Work } from '../ui/bulk.ts'
import { problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import type { Product } from './queries.ts'

/** Publishes or hides one product, unless somebody has changed it since it was listed. */
export const publishWork =
  (published: boolean): Work<Product> =>
  async (product) => {
    let etag = ''
    const onHeaders = (headers: Headers) => {
      etag = headers.get('etag') ?? ''
    }
    try {
      const { updated_at } = await api.products.get(product.id, {}, { onHeaders })
      if (updated_at !== product.updated_at) return t('products.bulk.changed')
      await api.products.update(product.id, { published }, { ifMatch: etag })
      return undefined
    } catch (error) {
      return problemText(error)
    }
  }
