import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import type { Product } from './queries.ts'

export type Failure = { id: number; title: string; why: string }

export type BulkWork = {
  /** How many are done, and of how many; undefined while nothing runs. */
  progress: { done: number; total: number } | undefined
  /** What could not be changed the last time, and why. */
  failures: readonly Failure[]
  run: (products: readonly Product[], published: boolean) => Promise<number>
  forget: () => void
}

/** Changes one product, unless somebody has changed it since it was listed. */
async function setPublished(product: Product, published: boolean): Promise<string | undefined> {
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

/** Publishes or hides many products, one after another, and goes on where one is refused. */
export function useBulkPublish(): BulkWork {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkWork['progress']>()
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const run: BulkWork['run'] = async (products, published) => {
    const failed: Failure[] = []
    const toChange = products.filter((product) => product.published !== published)
    for (const [done, product] of toChange.entries()) {
      setProgress({ done, total: toChange.length })
      const why = await setPublished(product, published)
      if (why !== undefined) failed.push({ id: product.id, title: product.title, why })
    }
    setProgress(undefined)
    setFailures(failed)
    await client.invalidateQueries({ queryKey: ['products'] })
    return toChange.length - failed.length
  }
  return { progress, failures, run, forget: () => setFailures([]) }
}
