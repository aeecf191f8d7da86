import type { QueryClient } from '@tanstack/react-query'
import { api, companyHeader } from '../api.ts'
import { problemText } from '../ui/problem.tsx'
import { DECIDED_MS, toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import type { Product } from './queries.ts'

/** Products that are deleted unless somebody takes it back within a moment: a deleted one cannot be brought back. */
const leaving = new Map<number, NodeJS.Timeout | number>()

export const isLeaving = ({ id }: { id: number }) => leaving.has(id)

// Whoever closes the page has decided.
addEventListener('pagehide', () => {
  for (const id of leaving.keys())
    void fetch(`/admin/api/products/${id}.json`, {
      method: 'DELETE',
      headers: companyHeader(),
      keepalive: true,
    }).catch(() => undefined)
  leaving.clear()
})

/** Takes a product out of the lists at once, and deletes it when there is no way back any more. */
export function deleteSoon(client: QueryClient, { id, title }: Pick<Product, 'id' | 'title'>): void {
  const renew = () => client.invalidateQueries({ queryKey: ['products'] })
  const remove = async () => {
    try {
      await api.products.delete(id)
    } catch (error) {
      toast(problemText(error))
    }
    leaving.delete(id)
    await renew()
  }
  leaving.set(
    id,
    setTimeout(() => void remove(), DECIDED_MS),
  )
  toast(t('products.deleted', { title }), {
    title: t('common.undo'),
    run: () => {
      clearTimeout(leaving.get(id))
      leaving.delete(id)
      void renew()
    },
  })
  void renew()
}
