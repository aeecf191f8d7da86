import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { moved, type Place } from '../ui/forms/tree-places.ts'

export type Category = Schemas['Category']
export type CategoryInput = Schemas['CategoryInput']
/** What the tree shows of a category. */
export type ListedCategory = Pick<Category, 'id' | 'title' | 'parent_id' | 'position' | 'enabled'>

export const treeQuery = queryOptions({
  queryKey: ['categories', 'tree'],
  queryFn: async ({ signal }) => {
    const found: ListedCategory[] = []
    const query = { fields: 'id,title,parent_id,position,enabled' }
    for await (const { id, title, parent_id, position, enabled } of api.categories.list(query, { signal }))
      found.push({ id, title, parent_id, position, enabled })
    return found
  },
})

/** A category with the version that a change names. */
export function categoryQuery(id: string) {
  return queryOptions({
    queryKey: ['categories', 'one', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { category: await api.categories.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

/** Moves a category. The tree shows it at once; one move after the other is sent. */
export function useMoveCategory() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: ['move category'],
    scope: { id: 'categories' },
    mutationFn: ({ id, place }: { id: number; place: Place }) =>
      api.categories.move(id, { parent_id: place.parent, position: place.position }),
    onSettled: () => {
      // As long as others wait to be sent, the service would answer with a tree that is behind.
      if (client.isMutating({ mutationKey: ['move category'] }) === 1)
        void client.invalidateQueries({ queryKey: ['categories'] })
    },
  })
  return (id: number, place: Place, onError: (error: Error) => void) => {
    // A read that is under way would bring back the tree as it was.
    void client.cancelQueries({ queryKey: treeQuery.queryKey })
    client.setQueryData(treeQuery.queryKey, (tree) => tree && moved(tree, id, place))
    mutate({ id, place }, { onError })
  }
}

export function useCreateCategory() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: CategoryInput) => api.categories.create(input),
    onSuccess: () => client.invalidateQueries({ queryKey: ['categories'] }),
  })
}

export function useSaveCategory(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, etag }: Change<CategoryInput>) =>
      api.categories.update(id, changes, etag === undefined ? {} : { ifMatch: etag }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['categories'] })
      await client.invalidateQueries({ queryKey: ['products'] })
    },
  })
}

export function useDeleteCategory(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.categories.delete(id),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['categories', 'one', String(id)] })
      return client.invalidateQueries({ queryKey: ['categories', 'tree'] })
    },
  })
}

/** A category in the shop. */
export const shopPathOf = (shopId: number, id: number) => `/shop/${shopId}/categories/${id}`
