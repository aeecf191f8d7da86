import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Icon } from '../ui/icons.tsx'

const IDS_MAX = 200

/** The pictures of products that a list names, by `product_id`. Products that are gone have none. */
function picturesQuery(productIds: readonly string[]) {
  const ids = [...new Set(productIds)].sort().slice(0, IDS_MAX)
  return queryOptions({
    queryKey: ['products', 'pictures', ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found = new Map<string, string>()
      const query = { ids: ids.join(), fields: 'product_id,preview_pictures' }
      for await (const { product_id, preview_pictures } of api.products.list(query, { signal })) {
        const [first] = preview_pictures
        if (first !== undefined) found.set(product_id, first.src)
      }
      return found
    },
  })
}

export function usePictures(productIds: readonly string[]): ReadonlyMap<string, string> {
  return useQuery(picturesQuery(productIds)).data ?? new Map()
}

/** Does the service have its own copy of a picture? The page loads nothing from elsewhere. */
export const isStored = (src: string) => new URL(src, location.href).origin === location.origin

/** The picture of a product; a drawing where there is none. */
export function Picture({ src, isLarge = false }: { src: string | undefined; isLarge?: boolean }) {
  return (
    <span className={isLarge ? 'picture large' : 'picture'}>
      {src === undefined || !isStored(src) ? <Icon name="picture" /> : <img src={src} alt="" loading="lazy" />}
    </span>
  )
}
