import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

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

const NO_PICTURES: ReadonlyMap<string, string> = new Map()

export function usePictures(productIds: readonly string[]): ReadonlyMap<string, string> {
  return useQuery(picturesQuery(productIds)).data ?? NO_PICTURES
}

/** Does the service have its own copy of a picture? The page loads nothing from elsewhere. */
export const isStored = (src: string) =>
  src.startsWith(`${location.origin}/`) || new URL(src, location.href).origin === location.origin

/** The picture of a product; a drawing where there is none, which is in the style, because long lists have many. */
export function Picture({ src, isLarge = false }: { src: string | undefined; isLarge?: boolean }) {
  return (
    <span className={isLarge ? 'picture large' : 'picture'}>
      {src !== undefined && isStored(src) && <img src={src} alt="" loading="lazy" />}
    </span>
  )
}
