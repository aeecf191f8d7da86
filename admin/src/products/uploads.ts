import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Upload } from 'tus-js-client'
import { api, companyHeader } from '../api.ts'
import { problemText } from '../ui/problem.tsx'
import type { ContentFile } from './queries.ts'

/** A file on its way. It goes on while other screens are open, and after the line was lost. */
export type Sending = {
  key: number
  /** The file of the product that gets the bytes, once it is known. */
  fileId?: number
  productId: string
  name: string
  size: number
  sent: number
  startedAt: number
  state: 'sending' | 'waiting' | 'failed'
  problem?: string
  stop: () => void
}

let sendings: readonly Sending[] = []
let lastKey = 0
const hearers = new Set<() => void>()

function change(next: readonly Sending[]): void {
  sendings = next
  for (const hear of hearers) hear()
}

const update = (key: number, part: Partial<Sending>) =>
  change(sendings.map((each) => (each.key === key ? { ...each, ...part } : each)))

const remove = (key: number) => change(sendings.filter((each) => each.key !== key))

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** What is on its way for a product. */
export function useSendings(productId: string): readonly Sending[] {
  return useSyncExternalStore(subscribe, () => sendings).filter((each) => each.productId === productId)
}

/** The service names the address for apps; signed-in users have their own. */
const forUsers = (url: string) =>
  new URL(new URL(url).pathname.replace(/^\/api\//, '/admin/api/'), location.origin).href

/** Waits longer each time; a lost line is found again within half a minute. */
const DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 30_000, 30_000, 30_000, 30_000, 30_000]

/** Under which the browser remembers an upload that it has begun. Another file has another size, or was changed at another time. */
const memoryOf = (productId: string, role: string, { name, size, lastModified }: File) =>
  ['licet upload', productId, role, name, size, lastModified].join(' ')

/** The upload of the same file that this browser has begun and not finished. One that only has the same name is another file. */
function findBegun(files: readonly ContentFile[], memory: string): ContentFile | undefined {
  const id = Number(localStorage.getItem(memory))
  return files.find((each) => each.id === id && each.status === 'uploading')
}

async function send(client: QueryClient, productId: string, file: File, role: string): Promise<void> {
  lastKey += 1
  const key = lastKey
  const controller = new AbortController()
  const started: Sending = {
    ...{ key, productId, name: file.name, size: file.size, sent: 0, startedAt: Date.now(), state: 'sending' },
    stop: () => controller.abort(),
  }
  change([...sendings, started])
  const fail = (error: unknown) =>
    update(key, { state: 'failed', problem: problemText(error), stop: () => remove(key) })
  try {
    const files = client.getQueryData<ContentFile[]>(['files', productId]) ?? []
    const memory = memoryOf(productId, role, file)
    const target =
      findBegun(files, memory) ??
      (await api.files.create({ product_id: productId, name: file.name, size: file.size, role }))
    localStorage.setItem(memory, String(target.id))
    update(key, { fileId: target.id })
    if (target.upload_url === null) throw new Error('the file takes no bytes')
    const upload = new Upload(file, {
      uploadUrl: forUsers(target.upload_url),
      headers: companyHeader(),
      chunkSize: 16 * 1024 * 1024,
      retryDelays: DELAYS_MS,
      storeFingerprintForResuming: false,
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        update(key, { state: 'waiting' })
        return status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
      },
      onProgress: (sent) => update(key, { sent, state: 'sending' }),
      onError: fail,
      onSuccess: () => {
        localStorage.removeItem(memory)
        remove(key)
        void client.invalidateQueries({ queryKey: ['files', productId] })
        void client.invalidateQueries({ queryKey: ['products'] })
      },
    })
    controller.signal.addEventListener('abort', () => {
      void upload.abort()
      remove(key)
    })
    upload.start()
  } catch (error) {
    fail(error)
  }
}

/** Sends files of a product, one after the other begun, all at once on their way. */
export function useUpload(productId: string): (files: Iterable<File>, role: string) => void {
  const client = useQueryClient()
  return (files, role) => {
    for (const file of files) void send(client, productId, file, role)
  }
}
