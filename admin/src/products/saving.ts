import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { matching } from '../with-etag.ts'
import type { ProductInput } from './draft.ts'
import { withPriceModels } from './price-models.ts'

/** Saves changes of a product; without an ETag, over whatever is there. */
export function useSaveProduct(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ changes, etag }: Change<ProductInput>) => {
      const { price_license_binding: offers } = changes
      const priced = offers && { price_license_binding: await withPriceModels(client, offers) }
      return api.products.update(id, { ...changes, ...priced }, matching(etag))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['products'] }),
  })
}
